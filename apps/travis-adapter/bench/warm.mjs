// A warm tools.call on the same echo server, call by call in turn: through the built library against the SDK's own client, and
// through the built JSON-lines host against the SDK's client behind such a pipe. Which processes share a core decides as much
// as the code does and stays as it falls, so each round starts all of them anew.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { openPipe } from "./pipe.mjs";
import { median } from "./rounds.mjs";
import { atMost, printSection } from "./section.mjs";
import { fixture, here, openSession } from "./session.mjs";

const GOAL = 1.3;
const ROUNDS = 9;
const WARM_UP = 300;
const calls = Number(process.argv[2] ?? 1000);
const echo = { command: process.execPath, args: [fixture("echo")] };
const input = { text: "hello" };
const request = { server: "echo", tool: "echo", args: input };

/** The median milliseconds of each way, all of them started for this round. */
async function measureRound() {
  const session = await openSession({ echo });
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StdioClientTransport(echo));
  const place = ["--home", session.home, "--cwd", session.home];
  const host = openPipe([here("../dist/cli.js"), ...place, "host"]);
  const sdkPipe = openPipe([here("sdk-pipe.mjs"), echo.command, ...echo.args]);
  const times = await timeInTurn({
    sdk: () => client.callTool({ name: "echo", arguments: input }),
    library: () => session.adapter.execute(request),
    sdkPipe: () => sdkPipe.execute(request),
    host: () => host.execute(request),
  });
  await Promise.all([client.close(), sdkPipe.end(), host.end()]);
  await session.end();
  return times;
}

/** Each call begins with another way, because the one before leaves the machine warm or cold. */
async function timeInTurn(ways) {
  const names = Object.keys(ways);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let call = 0; call < calls + WARM_UP; call++)
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(call + turn) % names.length];
      const start = performance.now();
      const { content, isError = false } = await ways[name]();
      const taken = performance.now() - start;
      if (isError || content[0].text !== "hello") throw new Error(`${name} answered wrongly`);
      if (call >= WARM_UP) times[name].push(taken);
    }
  return Object.fromEntries(names.map((name) => [name, median(times[name])]));
}

const rounds = [];
for (let round = 0; round < ROUNDS; round++) {
  rounds.push(await measureRound());
  const told = Object.entries(rounds[round]).map(([name, ms]) => `${name} ${ms.toFixed(3)}`);
  console.error(`round ${round + 1}, p50 ms: ${told.join(", ")}`);
}

const ratio = (name, floor) =>
  atMost(GOAL, median(rounds.map((round) => round[name] / round[floor])));
printSection(
  "Adapter: warm calls",
  `\`apps/travis-adapter/bench/warm.mjs\`: ${calls} calls each of \`echo\` on a stdio server, one after another, the four ways in turn; the median of ${ROUNDS} such rounds, each with processes of its own.`,
  [
    [
      "warm `tools.call` through the library ÷ the SDK client alone, p50; through the JSON-lines host ÷ the SDK behind such a pipe",
      `≤ ${GOAL}; ≤ ${GOAL}`,
      `${ratio("library", "sdk")}; ${ratio("host", "sdkPipe")}`,
    ],
  ],
);
