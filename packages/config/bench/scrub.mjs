// The scrubber over 1 MiB with 1, 100 and 10,000 secrets, interleaved, as ratios of the least times to those of 100 secrets.
//     tsc -b packages/bounds packages/config && node packages/config/bench/scrub.mjs
import { randomBytes } from "node:crypto";
import { MIB } from "@core/bounds";
import { Bench } from "tinybench";
import { createScrubber } from "../dist/index.js";

const HEX = "0123456789abcdef";
const LETTERS = `${HEX}ghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ`;
const COUNTS = [1, 100, 10_000];

const random = (length, alphabet) =>
  Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("");
const secrets = (count, alphabet, lengthOf) =>
  Array.from({ length: count }, (_, index) => ({
    name: `S${index}`,
    value: random(lengthOf(index), alphabet),
  }));

const record =
  '{"level": "info", "message": "read 17 notes of the project", "path": "/srv/notes"}\n';
const prose = record.repeat(Math.ceil(MIB / record.length)).slice(0, MIB);
const cases = [
  ["log lines, keys of 40 letters", prose, LETTERS, () => 40],
  ["log lines, keys of 6 to 40 letters", prose, LETTERS, (index) => 6 + (index % 35)],
  ["hexadecimal text, hexadecimal keys of 32", random(MIB, HEX), HEX, () => 32],
  ["hexadecimal text, hexadecimal keys of 8 to 40", random(MIB, HEX), HEX, (i) => 8 + (i % 33)],
  ["hexadecimal text, hexadecimal keys of 6", random(MIB, HEX), HEX, () => 6],
];

for (const [title, text, alphabet, lengthOf] of cases) {
  const started = performance.now();
  const scrubbers = COUNTS.map((count) => createScrubber(secrets(count, alphabet, lengthOf)));
  const building = performance.now() - started;
  const tasks = Object.fromEntries(
    COUNTS.map((count, index) => [`${count} secrets`, () => scrubbers[index].scrub(text)]),
  );
  const times = await measure({ "a plain copy": () => Buffer.from(text), ...tasks });
  const hundred = times.get("100 secrets");
  console.log(`\n${title} (all three built in ${building.toFixed(0)} ms)`);
  for (const [name, time] of times)
    console.log(
      `  ${name.padEnd(16)} ${time.toFixed(2).padStart(8)} ms ${(time / hundred).toFixed(2).padStart(6)} x of 100 secrets`,
    );
}

/** The least milliseconds of each task over rounds that take turns: what it costs without its neighbours. */
async function measure(tasks) {
  const rounds = 3;
  const times = new Map(Object.keys(tasks).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const bench = new Bench({ time: 60, iterations: 5, warmupTime: 20, warmupIterations: 2 });
    for (const [name, task] of Object.entries(tasks)) bench.add(name, task);
    await bench.run();
    for (const { name, result } of bench.tasks) times.get(name).push(result.latency.min);
  }
  return new Map([...times].map(([name, of]) => [name, Math.min(...of)]));
}
