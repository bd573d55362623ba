// A warm tools.call through the built library against the SDK's own client on the same echo server, call by call in turn.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { median, printTable, quantile, ratio } from "./rounds.mjs";
import { fixture, openSession } from "./session.mjs";

const calls = Number(process.argv[2] ?? 2000);
const echo = { command: process.execPath, args: [fixture("echo")] };
const input = { text: "hello" };

const session = await openSession({ echo });
const client = new Client({ name: "bench", version: "1" });
await client.connect(new StdioClientTransport(echo));
const cases = {
  "SDK client": () => client.callTool({ name: "echo", arguments: input }),
  adapter: () => session.ask({ server: "echo", tool: "echo", args: input }),
};
const times = { "SDK client": [], adapter: [] };
const WARM_UP = 200;
for (let call = 0; call < calls + WARM_UP; call++)
  for (const [name, run] of Object.entries(cases)) {
    const start = performance.now();
    await run();
    if (call >= WARM_UP) times[name].push(performance.now() - start);
  }
const floor = times["SDK client"];
printTable(
  `Warm tools.call on echo, ${calls} calls each`,
  Object.entries(times).map(([client, taken]) => ({
    client,
    "p50 ms": median(taken).toFixed(3),
    "p95 ms": quantile(taken, 0.95).toFixed(3),
    "p50 ÷ SDK client": (median(taken) / median(floor)).toFixed(2),
    "median of ratios": ratio(taken, floor),
  })),
);
await client.close();
await session.end();
