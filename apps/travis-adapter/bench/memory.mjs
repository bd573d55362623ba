// The adapter's own process with ten idle connections to echo servers, which are processes of their own.
import { atMost, printSection } from "./section.mjs";
import { fixture, openSession } from "./session.mjs";

const GOAL_MB = 90;
const names = Array.from({ length: 10 }, (_, at) => `echo${at}`);
const echo = { command: process.execPath, args: [fixture("echo")] };
const megabytes = () => process.memoryUsage().rss / 1e6;

const before = megabytes();
const session = await openSession(Object.fromEntries(names.map((name) => [name, echo])));
for (const server of names) await session.ask({ server, tool: "echo", args: { text: "hello" } });
await new Promise((resolve) => setTimeout(resolve, 1000));
const idle = megabytes();
await session.end();

printSection(
  "Adapter: memory",
  `\`apps/travis-adapter/bench/memory.mjs\`: resident memory of the process that uses the built library, each connection used once; ${before.toFixed(0)} MB before the first.`,
  [
    [
      "memory of the adapter process with 10 idle connections",
      `≤ ${GOAL_MB} MB`,
      `${atMost(GOAL_MB, idle, 0)} MB`,
    ],
  ],
);
