import { resolve } from "node:path";
import {
  baseEnvironment,
  type ChildExit,
  errorAnswer,
  INVALID_REQUEST,
  identifyOversize,
  isObject,
  type JsonObject,
  type Oversize,
  startChild,
} from "@core/wire";
import { limits } from "../limits.ts";
import {
  answerTooLong,
  type Channel,
  type Listener,
  localAnswer,
  maxAnswerBytes,
} from "./channel.ts";
import type { Groups } from "./groups.ts";
import type { Environment, ResolvedStdio } from "./resolve.ts";
import type { Secrets } from "./secrets.ts";

/** What a server's process gets of its surroundings. */
export interface StdioSurroundings {
  /** A relative `cwd` of the entry starts here; without one, the server runs here. */
  readonly cwd: string;
  readonly env: Environment;
  readonly secrets: Secrets;
  /** Remembers the process for the next start, in case this one has no time to end it. */
  readonly groups: Groups;
}

/** How much of both ends of a line tells whose answer it is. */
const END_BYTES = 4096;

/**
 * Starts a server as our child, in its own process group, with the SDK's minimal environment and the entry's. Rejects
 * with `ChildStartError`.
 */
export async function openStdio(
  server: ResolvedStdio,
  { cwd, env, secrets, groups }: StdioSurroundings,
): Promise<Channel> {
  let listener: Listener | undefined;
  /** Requests without an answer yet: how many bytes theirs may have, by id. */
  const awaited = new Map<number, number>();

  const child = await startChild({
    command: server.command,
    args: server.args,
    env: { ...baseEnvironment(env), ...server.env },
    cwd: resolve(cwd, server.cwd ?? "."),
    maxMessageBytes: limits.maxMessageBytes,
    scrubber: secrets,
    onLine: takeLine,
    onOversize: takeOversize,
  });
  const forget = groups.remember(child.pid);
  void child.exited.then(child.stop).then(forget);

  /** False for a line that is no message and counts as noise. */
  function takeLine(line: Buffer): boolean {
    if (line.length > limits.maxResponseBytes && isTooLong(line)) return true;
    const message = parse(line);
    if (!isObject(message) && !Array.isArray(message)) return false;
    if (isObject(message) && typeof message.id === "number" && !("method" in message))
      awaited.delete(message.id);
    listener?.onMessage(message);
    return true;
  }

  /** A long line is not parsed before it is known that its request may have an answer as long as that. */
  function isTooLong(line: Buffer): boolean {
    const [head, tail] = [line.subarray(0, END_BYTES), line.subarray(-END_BYTES)];
    const { kind, id } = identifyOversize({ head, tail, bytes: line.length });
    const owner = kind === "answer" ? (id ?? onlyAwaited()) : undefined;
    const maximum = awaited.get(owner as number);
    if (maximum === undefined || line.length <= maximum) return false;
    refuseAnswer(owner as number, maximum);
    return true;
  }

  function takeOversize(oversize: Oversize): void {
    const { kind, id } = identifyOversize(oversize);
    if (kind === "call" && id !== undefined) {
      const refusal = errorAnswer(id, INVALID_REQUEST, "The request is too long");
      child.send(JSON.stringify(refusal)).catch(() => {}); // gone, which its exit tells
    }
    const owner = kind === "answer" ? (id ?? onlyAwaited()) : undefined;
    const maximum = awaited.get(owner as number);
    if (maximum !== undefined) refuseAnswer(owner as number, maximum);
  }

  function refuseAnswer(id: number, maximum: number): void {
    awaited.delete(id);
    listener?.onMessage(localAnswer(id, answerTooLong(maximum)));
  }

  /** An id that cannot be read is no riddle while one request waits. */
  function onlyAwaited(): number | undefined {
    const [only, ...others] = awaited.keys();
    return others.length === 0 ? only : undefined;
  }

  return {
    listen(told) {
      listener = told;
      void child.exited.then(told.onEnd);
    },
    async send(message) {
      expect(message);
      await child.send(JSON.stringify(message));
    },
    speak() {},
    abandon(id) {
      awaited.delete(id);
      return false;
    },
    async endReport() {
      const how = describeExit(await child.exited);
      return { how, stderr: child.stderrTail(), isProcess: true };
    },
    async close() {
      await child.stop();
    },
  };

  function expect({ id, method }: JsonObject): void {
    if (typeof id === "number" && typeof method === "string")
      awaited.set(id, maxAnswerBytes(method));
  }
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return undefined; // no JSON, so no message: noise
  }
}

function describeExit({ code, signal }: ChildExit): string {
  return signal === null ? `exited with status ${code}` : `was ended by ${signal}`;
}
