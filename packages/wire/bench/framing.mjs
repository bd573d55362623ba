// Splitting a pipe into lines, against reading the bare pipe, and with every line parsed.
// Run after `tsc -b packages/wire`: node packages/wire/bench/framing.mjs
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEventDecoder, createLineSplitter, encodeEventPieces } from "../dist/index.js";
import { textResult } from "./messages.mjs";
import { KIB, MIB, median, printTable, ratio, sizeName, timeRounds } from "./rounds.mjs";

const TOTAL = 64 * MIB;
const CHUNK = 64 * KIB;

/** A message and its line end, `size` bytes together. */
function lineOf(size) {
  const message = textResult(size).subarray(0, size - 1);
  return Buffer.concat([message, Buffer.alloc(size - message.length - 1, " "), Buffer.from("\n")]);
}

function splitter(onLine) {
  return createLineSplitter({ maxBytes: 2 * TOTAL, onLine, onOversize: () => process.exit(1) });
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

const sizes = [KIB, MIB, 8 * MIB, 16 * MIB, 64 * MIB];
const folder = await mkdtemp(join(tmpdir(), "wire-bench-"));
const cases = {};
for (const size of sizes) {
  const bytes = Buffer.concat(Array(TOTAL / size).fill(lineOf(size)));
  const file = join(folder, `${size}`);
  await writeFile(file, bytes);
  const split = (onLine) => {
    const lines = splitter(onLine);
    return readPipe(file, (chunk) => lines.push(chunk));
  };
  cases[`bare ${size}`] = () => readPipe(file, () => {});
  cases[`gathered ${size}`] = () => gatherPipe(file, size);
  cases[`lines ${size}`] = () => split(() => {});
  cases[`parsed ${size}`] = () => split((line) => JSON.parse(line.toString()));
  cases[`memory ${size}`] = () => splitInMemory(bytes);
  const events = eventsOf(size);
  cases[`events ${size}`] = () => decodeInMemory(events);
}
const times = await timeRounds(cases);
await rm(folder, { recursive: true });

printTable(
  "Framing 64 MiB",
  sizes.map((size) => ({
    "a line": sizeName(size),
    "ms/MiB": (median(times[`lines ${size}`]) / 64).toFixed(2),
    "÷ bare pipe": ratio(times[`lines ${size}`], times[`bare ${size}`]),
    "÷ pipe gathered to messages": ratio(times[`lines ${size}`], times[`gathered ${size}`]),
    "÷ lines of 1 MiB": ratio(times[`lines ${size}`], times[`lines ${MIB}`]),
    "with JSON.parse ÷ bare pipe": ratio(times[`parsed ${size}`], times[`bare ${size}`]),
    "in memory, ms/MiB": (median(times[`memory ${size}`]) / 64).toFixed(2),
    "in memory ÷ lines of 1 MiB": ratio(times[`memory ${size}`], times[`memory ${MIB}`]),
    "as events in memory, ms/MiB": (median(times[`events ${size}`]) / 64).toFixed(2),
  })),
);
