// Counts, cuts and scans against the platform's own functions on the same input, interleaved, as ratios of medians.
//     tsc -b packages/bounds && node packages/bounds/bench/bounds.mjs
import {
  countBytes,
  countCodePoints,
  countLines,
  cutText,
  KIB,
  MIB,
  readMembers,
  scanJson,
} from "@core/bounds";
import { Bench } from "tinybench";

const line = "The quick brown fox jumps over the lazy dog, na\u00efvely \u{1f98a}.\n";
const text = line.repeat(Math.ceil(MIB / countBytes(line)));

const call = JSON.stringify({
  jsonrpc: "2.0",
  id: 17,
  method: "tools/call",
  params: {
    name: "search_notes",
    arguments: {
      query: "x".repeat(300),
      scopes: ["work", "home", "archive"],
      limit: 20,
      note: "two lines\nof text ".repeat(20),
      filter: { tags: ["a", "b"], after: "2026-01-01", deep: { exact: true, weight: 0.5 } },
    },
    _meta: { progressToken: 17 },
  },
});
const answer = JSON.stringify({
  jsonrpc: "2.0",
  id: 17,
  result: { content: [{ type: "text", text: line.repeat(8 * KIB * 16) }] },
});
const rows = JSON.stringify(
  Array.from({ length: 2_000 }, (_, row) => ({ id: row, name: `row ${row}`, ok: true, at: null })),
);

/** Each group: the floor first, then what is measured against it. */
const groups = [
  [
    "1 MiB of text",
    {
      "Buffer.byteLength": () => Buffer.byteLength(text),
      countBytes: () => countBytes(text),
      countLines: () => countLines(text),
      countCodePoints: () => countCodePoints(text),
      "cutText, all fits": () => cutText(text, { maxBytes: 2 * MIB, maxLines: 100_000 }),
      "cutText to 50 KiB and 2,000 lines": () =>
        cutText(text, { maxBytes: 50 * KIB, maxLines: 2_000 }),
    },
  ],
  ...[
    ["a call of 1 KiB", call, 1],
    ["a text answer of 8 MiB", answer, 0],
  ].map(([title, json]) => {
    const bytes = Buffer.from(json);
    return [
      title,
      {
        "JSON.parse of the text": () => JSON.parse(json),
        "JSON.parse of the bytes": () => JSON.parse(bytes.toString()),
        "readMembers along params, _meta": () => readMembers(bytes, undefined, ["params", "_meta"]),
      },
    ];
  }),
  [
    "2,000 small objects",
    {
      "JSON.parse of the text": () => JSON.parse(rows),
      "scanJson with keys and scalars": () => scanJson(rows, { key() {}, scalar() {} }),
    },
  ],
];

console.log(`## Counts, cuts and scans

Each against the platform's own function on the same input, which stands first.

| input | function | µs | ÷ the first |
| --- | --- | --- | --- |`);
for (const [title, tasks] of groups) {
  const samples = await measure(tasks);
  const [floor] = samples.values();
  for (const [name, median] of samples)
    console.log(
      `| ${title} | ${name} | ${(median * 1_000).toFixed(2)} | ${(median / floor).toFixed(2)} |`,
    );
}

/** The median milliseconds of each task over rounds that take turns. */
async function measure(tasks) {
  const rounds = 3;
  const medians = new Map(Object.keys(tasks).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const bench = new Bench({ time: 60, iterations: 5, warmupTime: 20, warmupIterations: 3 });
    for (const [name, task] of Object.entries(tasks)) bench.add(name, task);
    await bench.run();
    for (const { name, result } of bench.tasks) medians.get(name).push(result.latency.p50);
  }
  return new Map([...medians].map(([name, of]) => [name, of.sort((a, b) => a - b)[rounds >> 1]]));
}
