import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Child, type ChildOptions, startChild } from "../src/child.ts";
import { baseEnvironment } from "../src/environment.ts";

export const serverPath = (name: string): string =>
  fileURLToPath(new URL(`./servers/${name}.mjs`, import.meta.url));

/** How to run one of the test servers. */
export const serverCommand = (name: string) => ({
  command: process.execPath,
  args: [serverPath(name)],
  env: baseEnvironment(process.env),
  maxMessageBytes: 64 * 1024,
});

/** A started test server and what it has printed so far. */
export interface Started {
  readonly child: Child;
  readonly messages: readonly Record<string, unknown>[];
  /** Resolves with the first message of that method, also one that has come already. */
  message(method: string): Promise<Record<string, unknown>>;
}

export async function startServer(
  name: string,
  options: Partial<ChildOptions> = {},
): Promise<Started> {
  const messages: Record<string, unknown>[] = [];
  const waiting: (() => void)[] = [];
  const child = await startChild({
    ...serverCommand(name),
    onOversize() {},
    ...options,
    onLine(line) {
      try {
        messages.push(JSON.parse(line.toString()));
      } catch {
        return false;
      }
      for (const wake of waiting.splice(0)) wake();
      return options.onLine?.(line);
    },
  });
  return {
    child,
    messages,
    async message(method) {
      for (;;) {
        const found = messages.find((message) => message.method === method);
        if (found) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}

/** Whether a process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== "linux") return true;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}
