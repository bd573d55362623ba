import { resolve } from "node:path";
import type { Groups } from "@core/wire";
import {
  baseEnvironment,
  type ChildExit,
  errorAnswer,
  INVALID_REQUEST,
  identifyOversize,
  isObject,
  layerEnvironments,
  type Oversize,
  startChild,
} from "@core/wire";
import { limits } from "../limits.ts";
import { type AwaitedRequest, createAwaited } from "./awaited.ts";
import { answerTooLong, type Channel, type Listener, localAnswer } from "./channel.ts";
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
  const awaited = createAwaited();
  let listener: Listener | undefined;
  let stopped: ChildExit | undefined;

  const child = await startChild({
    command: server.command,
    args: server.args,
    env: layerEnvironments([baseEnvironment(env), server.env]),
    cwd: resolve(cwd, server.cwd ?? "."),
    maxMessageBytes: limits.maxMessageBytes,
    scrubber: secrets,
    lend: true,
    onLine: takeLine,
    onOversize: takeOversize,
  });
  const forget = groups.remember(child.pid);
  void child.exited.then(child.stop).then(forget);

  /** False for a line that is no message and counts as noise. */
  function takeLine(line: Buffer): boolean {
    if (line.length > limits.maxResponseBytes && isRefused(line)) return true;
    const message = parse(line);
    if (!isObject(message) && !Array.isArray(message)) return false;
    if (isObject(message) && !("method" in message)) awaited.remove(message.id);
    listener?.onMessage(message);
    return true;
  }

  /** A long line is not parsed before it is known that its request may have an answer as long as that. */
  function isRefused(line: Buffer): boolean {
    const ends = { head: line.subarray(0, END_BYTES), tail: line.subarray(-END_BYTES) };
    const request = awaited.answeredBy({ ...ends, bytes: line.length });
    if (request === undefined || line.length <= request.maxBytes) return false;
    refuse(request);
    return true;
  }

  /** A line over the limit of them all is never held, and its request is known by its ends alone. */
  function takeOversize(oversize: Oversize): void {
    const { kind, id } = identifyOversize(oversize);
    const request = awaited.answeredBy(oversize);
    if (request !== undefined) refuse(request);
    if (kind !== "call" || id === undefined) return;
    const refusal = errorAnswer(id, INVALID_REQUEST, "The request is too long");
    child.send(JSON.stringify(refusal)).catch(() => {}); // gone, which its exit tells
  }

  function refuse({ id, maxBytes }: AwaitedRequest): void {
    awaited.remove(id);
    listener?.onMessage(localAnswer(id, answerTooLong(maxBytes)));
  }

  return {
    listen(told) {
      listener = told;
      void child.exited.then(told.onEnd);
    },
    async send(message) {
      awaited.add(message);
      await child.send(JSON.stringify(message));
    },
    speak() {},
    lapses: () => 0,
    abandon(id) {
      awaited.remove(id);
      return false;
    },
    async endReport() {
      const how = describeExit(stopped ?? (await child.exited));
      return { how, stderr: child.stderrTail(), isProcess: true };
    },
    async close() {
      stopped = await child.stop();
    },
  };
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
