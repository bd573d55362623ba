import type { Readable, Writable } from "node:stream";
import { createLineSplitter } from "@core/wire";
import type { Adapter } from "../host.ts";
import { limits } from "../limits.ts";
import { createDoor, encode } from "./door.ts";

export interface LinesOptions {
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
  /** Ends the session as the end of `input` does. */
  readonly signal: AbortSignal;
  /** Makes the adapter of this session over an environment that follows the host's. */
  open(env: Readonly<Record<string, string | undefined>>): Promise<Adapter>;
}

/**
 * Serves one host over JSON lines (A4) until it asks for the end, its pipe ends or `signal` aborts. By then all requests
 * are answered, all servers ended and all files removed.
 */
export async function serveLines(options: LinesOptions): Promise<void> {
  const { version, input, output, signal, open } = options;
  const environment = createEnvironment();
  const write = (line: string) => void output.write(`${line}\n`);
  const adapter = await open(environment.values);
  try {
    const { servers, ignoredProjectFiles } = adapter;
    write(encode({ method: "ready", params: { version, servers, ignoredProjectFiles } }));
    const door = createDoor({ adapter, setEnvironment: environment.replace, write });
    const lines = createLineSplitter({
      maxBytes: limits.maxFrameBytes,
      lend: true,
      onLine: door.receive,
      onOversize: door.refuse,
    });
    input.on("data", (chunk: Buffer) => lines.push(chunk));
    const question = await Promise.race([door.shutdown, endOf(input), aborted(signal)]);
    await door.close();
    await adapter[Symbol.asyncDispose]();
    if (question !== undefined) write(encode({ id: question, result: {} }));
  } finally {
    await adapter[Symbol.asyncDispose]();
    input.destroy();
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment that references are resolved in: one object, because connections keep it, over the host's latest. */
function createEnvironment() {
  let present: Environment = {};
  const values = new Proxy<Environment>(
    {},
    {
      get: (_, name) => (Object.hasOwn(present, name) ? present[name as string] : undefined),
      has: (_, name) => Object.hasOwn(present, name),
      ownKeys: () => Object.keys(present),
      getOwnPropertyDescriptor: (_, name) => Object.getOwnPropertyDescriptor(present, name),
    },
  );
  return {
    values,
    replace(next: Environment): void {
      present = next;
    },
  };
}

/** A host that died closes its pipe, or breaks it. */
function endOf(input: Readable): Promise<undefined> {
  return new Promise((resolve) => {
    for (const event of ["end", "close", "error"]) input.once(event, () => resolve(undefined));
  });
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
