// The adapter's own process with ten idle connections to echo servers, which are processes of their own.
import { printTable } from "./rounds.mjs";
import { fixture, openSession } from "./session.mjs";

const names = Array.from({ length: 10 }, (_, at) => `echo${at}`);
const echo = { command: process.execPath, args: [fixture("echo")] };
const mebibytes = () => (process.memoryUsage().rss / 1024 / 1024).toFixed(0);

const before = mebibytes();
const session = await openSession(Object.fromEntries(names.map((name) => [name, echo])));
for (const server of names) await session.ask({ server, tool: "echo", args: { text: "hello" } });
await new Promise((resolve) => setTimeout(resolve, 1000));
printTable("Resident memory of the adapter's process, MiB", [
  { "after its start": before, "with 10 idle connections": mebibytes() },
]);
await session.end();
