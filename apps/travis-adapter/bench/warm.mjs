// A warm tools.call on the same echo server, call by call in turn: through the built library against the SDK's own client, and
// through the built JSON-lines host against the SDK's client behind such a pipe.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { openPipe } from "./pipe.mjs";
import { median } from "./rounds.mjs";
import { atMost, printSection } from "./section.mjs";
import { fixture, here, openSession } from "./session.mjs";

const GOAL = 1.3;
const WARM_UP = 200;
const calls = Number(process.argv[2] ?? 2000);
const echo = { command: process.execPath, args: [fixture("echo")] };
const input = { text: "hello" };
const request = { server: "echo", tool: "echo", args: input };

const session = await openSession({ echo });
const client = new Client({ name: "bench", version: "1" });
await client.connect(new StdioClientTransport(echo));
const place = ["--home", session.home, "--cwd", session.home];
const host = openPipe([here("../dist/cli.js"), ...place, "host"]);
const sdkPipe = openPipe([here("sdk-pipe.mjs"), echo.command, ...echo.args]);

const cases = {
  "SDK client": () => client.callTool({ name: "echo", arguments: input }),
  library: () => session.adapter.execute(request),
  "SDK behind a pipe": () => sdkPipe.execute(request),
  host: () => host.execute(request),
};
const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
for (let call = 0; call < calls + WARM_UP; call++)
  for (const [name, run] of Object.entries(cases)) {
    const start = performance.now();
    const { content, isError = false } = await run();
    const taken = performance.now() - start;
    if (isError || content[0].text !== "hello") throw new Error(`${name} answered something else`);
    if (call >= WARM_UP) times[name].push(taken);
  }
for (const [name, taken] of Object.entries(times))
  console.error(`${name}: p50 ${median(taken).toFixed(3)} ms`);

const ratio = (name, floor) => atMost(GOAL, median(times[name]) / median(times[floor]));
printSection(
  "Adapter: warm calls",
  `\`apps/travis-adapter/bench/warm.mjs\`: ${calls} calls each of \`echo\` on a stdio server, one after another, the four ways in turn.`,
  [
    [
      "warm `tools.call` through the library ÷ the SDK client alone, p50; through the JSON-lines host ÷ the SDK behind such a pipe",
      `≤ ${GOAL}; ≤ ${GOAL}`,
      `${ratio("library", "SDK client")}; ${ratio("host", "SDK behind a pipe")}`,
    ],
  ],
);
await Promise.all([client.close(), sdkPipe.end(), host.end()]);
await session.end();
