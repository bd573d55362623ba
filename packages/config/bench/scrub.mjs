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

const rows = [];
for (const [title, text, alphabet, lengthOf] of cases) {
  const scrubbers = COUNTS.map((count) => createScrubber(secrets(count, alphabet, lengthOf)));
  const tasks = COUNTS.map((count, index) => [`${count}`, () => scrubbers[index].scrub(text)]);
  const times = await measure({ copy: () => Buffer.from(text), ...Object.fromEntries(tasks) });
  rows.push({ title, times: ["copy", ...COUNTS].map((name) => times.get(`${name}`)) });
}

const growth = rows.map(({ times }) => (times[3] / times[2]).toFixed(2));
const inBold = growth.map((ratio) => (ratio <= 3 ? ratio : `**${ratio}**`));
console.log(`## Scrubber

1 MiB of text, the least times of three rounds, in milliseconds.

| what | at least | measured |
| --- | --- | --- |
| scrubbing with 10,000 secrets ÷ with 100 secrets, a text a figure | ≤ 3 | ${inBold.join(", ")} |

| text, secrets | a plain copy | ${COUNTS.map((count) => `${count.toLocaleString("en")} secrets`).join(" | ")} |
| --- | --- | --- | --- | --- |
${rows.map(({ title, times }) => `| ${title} | ${times.map((time) => time.toFixed(2)).join(" | ")} |`).join("\n")}`);

/** The least milliseconds of each task over rounds that take turns: what it costs without its neighbours. */
async function measure(tasks) {
  const rounds = 3;
  const times = new Map(Object.keys(tasks).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const bench = new Bench({ time: 60, iterations: 5, warmupTime: 250, warmupIterations: 20 });
    for (const [name, task] of Object.entries(tasks)) bench.add(name, task);
    await bench.run();
    for (const { name, result } of bench.tasks) times.get(name).push(result.latency.min);
  }
  return new Map([...times].map(([name, of]) => [name, Math.min(...of)]));
}
