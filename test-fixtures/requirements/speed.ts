/** A row of a table of speed goals: what is measured, and what is promised at least. */
export interface SpeedGoal {
  readonly what: string;
  readonly least: string;
}

const rows: readonly (readonly [what: string, least: string])[] = [
  ["`/mcp` tools/call p50 at 1 client ÷ floor", "≤ 1.5"],
  ["throughput at 32 clients ÷ floor", "≥ 0.7"],
  ["throughput ÷ the best of mcp-proxy and supergateway, 1 client / 32 clients", "≥ 2 / ≥ 3"],
  [
    "1,000 sessions, 100,000 calls: children and descriptors left over; live heap after all ÷ after half",
    "0; ≤ 1.1",
  ],
  ["idle memory; start to first answer ÷ `node -e 0`", "≤ 90 MB; ≤ 5"],
  ["8 MiB result through the gateway (`max_output: 0`) ÷ `cat FILE` through a second `cat`", "≤ 6"],
  ["one-shot `call` on a stdio echo server ÷ the faster mcporter (0.9, 0.12), same run", "≤ 0.65"],
  ["the same on the official filesystem server (whose own start is 0.53 of it)", "≤ 0.75"],
  [
    "warm `tools.call` through the library ÷ the SDK client alone, p50; through the JSON-lines host ÷ the SDK behind such a pipe",
    "≤ 1.3; ≤ 1.3",
  ],
  ["`tools.search` p95", "≤ 5 ms at 1,000 tools, ≤ 30 ms at 10,000"],
  ["recall, `../data/tool-search` (LiveMCP steps R@5 / R@10; MetaTool R@10)", "0.80 / 0.87; 0.74"],
  ["memory of the adapter process with 10 idle connections", "≤ 90 MB"],
  ["cold search, 10,000 files ÷ floor", "≤ 3.0"],
  ["warm search in the same process ÷ floor", "≤ 1.0"],
  ["`ping` while a search runs, p99", "≤ 50 ms"],
  ["peak memory at 10,000 files", "≤ 250 MiB"],
  ["process start to first `tools/list` answer ÷ `node -e 0`", "≤ 3"],
  ["`read_working_context` on the full-shelf fixture ÷ reading its files", "≤ 1.5"],
];

/** What `npm run bench` measures, in the words of its page. */
export const speedGoals: readonly SpeedGoal[] = Object.freeze(
  rows.map(([what, least]) => Object.freeze({ what, least })),
);
