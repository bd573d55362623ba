// What tools.search finds and how long it takes, through the built library. The labelled sets are read from the folder that
// TOOL_SEARCH_DATA names, or from shared/data/tool-search beside the checkout: queries that use a tool's own words (LiveMCP),
// and paraphrases that do not (MetaTool). Without them only the times are measured, on made-up tools.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { median, quantile } from "./rounds.mjs";
import { atLeast, atMost, printSection } from "./section.mjs";
import { here, openSession } from "./session.mjs";

const data = process.env.TOOL_SEARCH_DATA ?? here("../../../../shared/data/tool-search");
const hasData = existsSync(data);
const read = (name) => JSON.parse(readFileSync(join(data, `${name}.json`), "utf8"));
/** Tools, and the most milliseconds that 95 of 100 searches may take. */
const SIZES = [
  { count: 1000, goalMs: 5 },
  { count: 10_000, goalMs: 30 },
];
const GOALS = { live5: 0.8, live10: 0.87, meta10: 0.74 };

/** Words that say nothing, in tools and queries that only take time. */
function madeUp() {
  const word = (seed) => `w${(seed * 7919) % 997}`;
  const words = (seed, count) => Array.from({ length: count }, (_, at) => word(seed * 31 + at));
  const tools = Array.from({ length: 700 }, (_, at) => ({
    name: words(at, 3).join("_"),
    description: words(at + 1, 30).join(" "),
  }));
  const queries = Array.from({ length: 200 }, (_, at) => ({ query: words(at * 3, 6).join(" ") }));
  return { tools, queries };
}

const sets = hasData
  ? {
      live: { tools: read("livemcp-tools"), queries: read("livemcp-queries") },
      meta: { tools: read("metatool-tools"), queries: read("metatool-queries") },
    }
  : { madeUp: madeUp() };

/** Hands a search over these tools to `work`. */
async function withTools(tools, work) {
  const folder = await openSession({});
  const file = join(folder.home, "tools.json");
  writeFileSync(file, JSON.stringify(tools));
  const entry = { command: process.execPath, args: [here("catalog-server.mjs"), file] };
  const session = await openSession({ all: entry });
  try {
    return await work((query) => session.ask({ server: "all", search: query }));
  } finally {
    await session.end();
    await folder.end();
  }
}

const namesIn = (text) => [...text.matchAll(/^- (.*?): /gm)].map(([, name]) => name);

/** The part of the queries whose tool stands among the first so many. */
async function measureRecall({ tools, queries }) {
  const ranks = await withTools(tools, async (search) => {
    const found = [];
    for (const { query, tool } of queries) found.push(namesIn(await search(query)).indexOf(tool));
    return found;
  });
  return (at) => ranks.filter((rank) => rank >= 0 && rank < at).length / ranks.length;
}

async function measureTimes(count) {
  const all = Object.values(sets).flatMap(({ tools }) => tools);
  const queries = Object.values(sets)
    .flatMap((set) => set.queries)
    .filter((_, at) => at % 3 === 0);
  const tools = Array.from({ length: count }, (_, at) => {
    const tool = all[at % all.length];
    return { ...tool, name: `${tool.name}_${Math.floor(at / all.length)}` };
  });
  return withTools(tools, async (search) => {
    await search("warm up");
    const taken = [];
    for (const { query } of queries) {
      const start = performance.now();
      await search(query);
      taken.push(performance.now() - start);
    }
    return taken;
  });
}

async function recallCell() {
  if (!hasData) return "not measured: the labelled sets are not here";
  const [live, meta] = [await measureRecall(sets.live), await measureRecall(sets.meta)];
  for (const [name, recall] of Object.entries({ "LiveMCP steps": live, MetaTool: meta }))
    console.error(
      `${name}: ${[1, 5, 10, 20].map((at) => `R@${at} ${recall(at).toFixed(3)}`).join(", ")}`,
    );
  const { live5, live10, meta10 } = GOALS;
  return `${atLeast(live5, live(5))} / ${atLeast(live10, live(10))}; ${atLeast(meta10, meta(10))}`;
}

const cells = [];
for (const { count, goalMs } of SIZES) {
  const times = await measureTimes(count);
  console.error(`${count} tools: p50 ${median(times).toFixed(2)} ms`);
  cells.push(`${atMost(goalMs, quantile(times, 0.95))} ms`);
}
printSection(
  "Adapter: tool search",
  `\`apps/travis-adapter/bench/search.mjs\`: through the library, the server a process. ${
    hasData
      ? `${sets.live.queries.length} queries in the tools' own words (LiveMCP) over ${sets.live.tools.length} tools, and apart from them ${sets.meta.queries.length} paraphrases (MetaTool) over ${sets.meta.tools.length}.`
      : `The labelled sets are absent (\`TOOL_SEARCH_DATA\` names their folder), so the tools are made up and recall is not measured.`
  }`,
  [
    ["`tools.search` p95", "≤ 5 ms at 1,000 tools, ≤ 30 ms at 10,000", cells.join(", ")],
    [
      "recall, `../data/tool-search` (LiveMCP steps R@5 / R@10; MetaTool R@10)",
      "0.80 / 0.87; 0.74",
      await recallCell(),
    ],
  ],
);
