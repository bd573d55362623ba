// Relaying a message by spans, against parsing it alone and against parsing, changing and writing it.
// Run after `tsc -b packages/wire`: node packages/wire/bench/relay.mjs
import { readEnvelope, rewriteEnvelope } from "../dist/index.js";
import { structuredResult, textResult, toolCall } from "./messages.mjs";
import { KIB, MIB, milliseconds, printTable, ratio, sizeName, timeRounds } from "./rounds.mjs";

const answerChanges = { id: "8" };
const callChanges = {
  id: "8",
  params: { set: { name: '"upstream_echo"' } },
  meta: { set: { progressToken: "9" } },
};

async function measure(what, bytes, changes) {
  const changesInPlace = { ...changes, inPlace: true };
  const repeat = Math.max(1, Math.round((8 * MIB) / bytes.length));
  const rounds = bytes.length < 32 * MIB ? 9 : 5;
  const time = await timeRounds(
    {
      relay: () => rewriteEnvelope(bytes, readEnvelope(bytes), changes),
      inPlace: () => rewriteEnvelope(bytes, readEnvelope(bytes), changesInPlace),
      parse: () => JSON.parse(bytes.toString()),
      rewrite: () => Buffer.from(JSON.stringify({ ...JSON.parse(bytes.toString()), id: 8 })),
    },
    { rounds, repeat },
  );
  return {
    message: what,
    bytes: bytes.length,
    "relay ms": milliseconds(time.relay),
    "relay ÷ JSON.parse": ratio(time.relay, time.parse),
    "in place ÷ JSON.parse": ratio(time.inPlace, time.parse),
    "relay ÷ parse and stringify": ratio(time.relay, time.rewrite),
  };
}

const rows = [await measure("call, 1 KiB", toolCall(KIB), callChanges)];
for (const size of [KIB, 64 * KIB, MIB, 8 * MIB, 64 * MIB]) {
  rows.push(await measure(`text result, ${sizeName(size)}`, textResult(size), answerChanges));
  rows.push(
    await measure(`structured result, ${sizeName(size)}`, structuredResult(size), answerChanges),
  );
}
printTable("Relay by spans", rows);
