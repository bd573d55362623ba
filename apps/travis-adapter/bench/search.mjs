// What tools.search finds and how long it takes, through the built library. The labelled sets are read from the folder that
// TOOL_SEARCH_DATA names: queries that use a tool's own words (LiveMCP), and paraphrases that do not (MetaTool).
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { median, printTable, quantile } from "./rounds.mjs";
import { here, openSession } from "./session.mjs";

const data = process.env.TOOL_SEARCH_DATA;
if (data === undefined) {
  console.log("Left out: TOOL_SEARCH_DATA names no folder with the labelled sets.");
  process.exit(0);
}
const read = (name) => JSON.parse(readFileSync(join(data, `${name}.json`), "utf8"));
const SIZES = [1000, 10_000];

const sets = {
  "LiveMCP steps (own words)": { tools: read("livemcp-tools"), queries: read("livemcp-queries") },
  "MetaTool (paraphrased)": { tools: read("metatool-tools"), queries: read("metatool-queries") },
};

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

for (const [title, { tools, queries }] of Object.entries(sets)) {
  const ranks = await withTools(tools, async (search) => {
    const found = [];
    for (const { query, tool } of queries) found.push(namesIn(await search(query)).indexOf(tool));
    return found;
  });
  const recall = (at) => {
    const hits = ranks.filter((rank) => rank >= 0 && rank < at).length;
    return (hits / ranks.length).toFixed(3);
  };
  printTable(`${title}: ${queries.length} queries over ${tools.length} tools`, [
    { "R@1": recall(1), "R@5": recall(5), "R@10": recall(10), "R@20": recall(20) },
  ]);
}

const all = Object.values(sets).flatMap(({ tools }) => tools);
const queries = Object.values(sets)
  .flatMap((set) => set.queries)
  .filter((_, at) => at % 3 === 0)
  .map(({ query }) => query);
const rows = [];
for (const size of SIZES) {
  const tools = Array.from({ length: size }, (_, at) => {
    const tool = all[at % all.length];
    return { ...tool, name: `${tool.name}_${Math.floor(at / all.length)}` };
  });
  const times = await withTools(tools, async (search) => {
    await search("warm up");
    const taken = [];
    for (const query of queries) {
      const start = performance.now();
      await search(query);
      taken.push(performance.now() - start);
    }
    return taken;
  });
  rows.push({
    tools: size,
    "p50 ms": median(times).toFixed(2),
    "p95 ms": quantile(times, 0.95).toFixed(2),
  });
}
printTable(`tools.search, ${queries.length} queries`, rows);
