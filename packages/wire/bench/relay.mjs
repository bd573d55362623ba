// Relaying a message by spans, against parsing it alone and against parsing, changing and writing it.
// Run after `tsc -b packages/wire`: node packages/wire/bench/relay.mjs
import { readEnvelope, rewriteEnvelope, splice } from "../dist/index.js";
import { plainResult, structuredResult, textResult, toolCall } from "./messages.mjs";
import { atMost, KIB, MIB, median, printTable, ratio, sizeName, timeRounds } from "./rounds.mjs";

const OVER_PARSE = "relay (spans found, values spliced to new bytes) ÷ JSON.parse";

const edit = ({ valueStart, valueEnd }, text) => ({ start: valueStart, end: valueEnd, text });

/** What the gateway does to an answer: the client's id. */
const answer = {
  edits: ({ envelope }) => [edit(envelope.id, "8")],
  changes: { id: "8" },
};
/** What it does to a call: its own id and progress token, the server's name of the tool. */
const call = {
  edits: ({ envelope, params, meta }) => [
    edit(envelope.id, "8"),
    edit(params.name, '"upstream_echo"'),
    edit(meta.progressToken, "9"),
  ],
  changes: {
    id: "8",
    params: { set: { name: '"upstream_echo"' } },
    meta: { set: { progressToken: "9" } },
  },
};

async function measure(what, bytes, { edits, changes }) {
  const changesInPlace = { ...changes, inPlace: true };
  const repeat = Math.max(1, Math.round((8 * MIB) / bytes.length));
  const rounds = bytes.length < 32 * MIB ? 9 : 5;
  const time = await timeRounds(
    {
      parse: () => JSON.parse(bytes.toString()),
      relay: () => splice(bytes, edits(readEnvelope(bytes))),
      rewrite: () => rewriteEnvelope(bytes, readEnvelope(bytes), changes),
      // Last of those that read the message: it leaves another, shorter id in it.
      inPlace: () => rewriteEnvelope(bytes, readEnvelope(bytes), changesInPlace),
      stringify: () => Buffer.from(JSON.stringify({ ...JSON.parse(bytes.toString()), id: 8 })),
    },
    { rounds, repeat },
  );
  return {
    message: what,
    bytes: bytes.length,
    "JSON.parse of the bytes as received (decoded and parsed), µs": microseconds(time.parse),
    [OVER_PARSE]: ratio(time.relay, time.parse),
    "by rewriteEnvelope ÷ JSON.parse": ratio(time.rewrite, time.parse),
    "in place ÷ JSON.parse": ratio(time.inPlace, time.parse),
    "relay ÷ parse and stringify": ratio(time.relay, time.stringify),
  };
}

const microseconds = (times) => (1000 * median(times)).toPrecision(3);

const kinds = {
  text: textResult,
  "text without escapes": plainResult,
  structured: structuredResult,
};
const rows = [];
for (const size of [KIB, 64 * KIB, MIB, 8 * MIB, 64 * MIB]) {
  for (const [kind, make] of Object.entries(kinds))
    rows.push(await measure(`${kind}, ${sizeName(size)}`, make(size), answer));
  if (size === KIB) rows.push(await measure("call, three edits, 1 KiB", toolCall(KIB), call));
}
const small = rows.filter(({ bytes }) => bytes <= 2 * KIB);
console.log(`## Relay by spans

CPU time, against \`JSON.parse\` of the received bytes.
`);
printTable([
  atMost(
    1.5,
    `relay of a message of 1 KiB ÷ JSON.parse alone: ${small.map(({ message }) => message.replace(", 1 KiB", "")).join("; ")}`,
    small.map((row) => row[OVER_PARSE]),
  ),
]);
printTable(rows);
