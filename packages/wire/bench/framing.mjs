// Splitting a pipe into lines, against reading the bare pipe, and with every line parsed.
// Run after `tsc -b packages/wire`: node packages/wire/bench/framing.mjs
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEventDecoder, createLineSplitter, encodeEventPieces } from "../dist/index.js";
import { textResult } from "./messages.mjs";
import { atMost, KIB, MIB, median, printTable, ratio, sizeName, timeRounds } from "./rounds.mjs";

const TOTAL = 64 * MIB;
const CHUNK = 64 * KIB;

/** A message and its line end, `size` bytes together. */
function lineOf(size) {
  const message = textResult(size).subarray(0, size - 1);
  return Buffer.concat([message, Buffer.alloc(size - message.length - 1, " "), Buffer.from("\n")]);
}

function splitter(onLine, lend) {
  return createLineSplitter({
    ...{ maxBytes: 2 * TOTAL, lend, onLine },
    onOversize: () => process.exit(1),
  });
}

async function readPipe(file, onChunk) {
  const cat = spawn("cat", [file], { stdio: ["ignore", "pipe", "inherit"] });
  cat.stdout.on("data", onChunk);
  await once(cat, "close");
}

/** What every reader of whole messages must do, without looking for their ends. */
function gatherPipe(file, size) {
  let chunks = [];
  let held = 0;
  return readPipe(file, (chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    if (held < size) return;
    Buffer.concat(chunks, held);
    chunks = [];
    held = 0;
  });
}

/** What a line in one piece costs at least: each byte copied once, to memory that is there already. */
function copyPipe(file, block) {
  let held = 0;
  return readPipe(file, (chunk) => {
    if (held + chunk.length > block.length) held = 0;
    block.set(chunk, held);
    held += chunk.length;
  });
}

function eventsOf(size) {
  const event = Buffer.concat(encodeEventPieces({ event: "message", data: textResult(size) }));
  return Buffer.concat(Array(TOTAL / size).fill(event));
}

function decodeInMemory(bytes) {
  const events = createEventDecoder({
    maxEventBytes: 2 * TOTAL,
    onEvent: () => {},
    onOversize: () => process.exit(1),
  });
  for (let start = 0; start < bytes.length; start += CHUNK) {
    events.push(bytes.subarray(start, start + CHUNK));
  }
  events.end();
}

function splitInMemory(bytes) {
  const lines = splitter(() => {});
  for (let start = 0; start < bytes.length; start += CHUNK)
    lines.push(bytes.subarray(start, start + CHUNK));
}

const sizes = [KIB, MIB, 8 * MIB, 16 * MIB, 32 * MIB, 64 * MIB];
const folder = await mkdtemp(join(tmpdir(), "wire-bench-"));
const cases = {};
for (const size of sizes) {
  const bytes = Buffer.concat(Array(TOTAL / size).fill(lineOf(size)));
  const file = join(folder, `${size}`);
  await writeFile(file, bytes);
  // One splitter for all rounds, as a connection has for all its messages.
  const split = (onLine, lend) => {
    const lines = splitter(onLine, lend);
    return () => readPipe(file, (chunk) => lines.push(chunk));
  };
  cases[`bare ${size}`] = () => readPipe(file, () => {});
  const block = Buffer.alloc(Math.max(size, CHUNK), 1);
  cases[`copied ${size}`] = () => copyPipe(file, block);
  cases[`gathered ${size}`] = () => gatherPipe(file, size);
  cases[`lines ${size}`] = split(() => {});
  cases[`lent ${size}`] = split(() => {}, true);
  cases[`parsed ${size}`] = split((line) => JSON.parse(line.toString()), true);
  cases[`memory ${size}`] = () => splitInMemory(bytes);
  const events = eventsOf(size);
  cases[`events ${size}`] = () => decodeInMemory(events);
}
const times = await timeRounds(cases, { isTidy: true });
await rm(folder, { recursive: true });

const long = sizes.filter((size) => size >= MIB);
const overPipe = (way) => long.map((size) => ratio(times[`${way} ${size}`], times[`bare ${size}`]));
const overMiB = (way) =>
  long.slice(1).map((size) => ratio(times[`${way} ${size}`], times[`${way} ${MIB}`]));
const names = (of) => of.map(sizeName).join(", ");

console.log(`## Framing

64 MiB in lines of one size through a pipe, CPU time of the reader. A lent line is valid while its reader looks at it, as suits all
that parse it at once; a kept one is its reader's, as the gateway's relay needs. Copied is a bare pipe whose bytes go to one block of a
line's size, used again and again, which no way to a line in one piece can undercut: what it costs more for long lines is the memory's.
`);
printTable([
  atMost(2, `framing ÷ a bare pipe, lent lines of ${names(long)}`, overPipe("lent")),
  atMost(1.3, `a MiB in lent lines of ${names(long.slice(1))} ÷ of 1 MiB`, overMiB("lent")),
  atMost(2, `framing ÷ a bare pipe, kept lines of ${names(long)}`, overPipe("lines")),
  atMost(1.3, `a MiB in kept lines of ${names(long.slice(1))} ÷ of 1 MiB`, overMiB("lines")),
]);
printTable(
  sizes.map((size) => ({
    "a line": sizeName(size),
    "lent, ms/MiB": (median(times[`lent ${size}`]) / 64).toFixed(2),
    "kept, ms/MiB": (median(times[`lines ${size}`]) / 64).toFixed(2),
    "copied, ms/MiB": (median(times[`copied ${size}`]) / 64).toFixed(2),
    "lent ÷ copied": ratio(times[`lent ${size}`], times[`copied ${size}`]),
    "kept ÷ pipe gathered to messages": ratio(times[`lines ${size}`], times[`gathered ${size}`]),
    "lent, with JSON.parse ÷ bare pipe": ratio(times[`parsed ${size}`], times[`bare ${size}`]),
    "in memory, ms/MiB": (median(times[`memory ${size}`]) / 64).toFixed(2),
    "as events in memory, ms/MiB": (median(times[`events ${size}`]) / 64).toFixed(2),
  })),
);
