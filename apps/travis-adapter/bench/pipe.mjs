import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A process that answers `execute` frames on its pipes; `end` closes its input and waits for its exit. */
export function openPipe(args, env = process.env) {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, result } = JSON.parse(line);
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  let last = 0;
  return {
    execute(request) {
      const id = ++last;
      child.stdin.write(`${JSON.stringify({ id, method: "execute", params: { request, env } })}\n`);
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    async end() {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}
