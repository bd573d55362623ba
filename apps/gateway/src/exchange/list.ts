import { INTERNAL_ERROR } from "@core/wire";
import { resultMessage } from "../response/message.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { ClientRequest } from "./client-request.ts";

export interface ListToolsOptions {
  /** The servers that expose anything, in the configuration's order. */
  readonly upstreams: readonly Upstream[];
  /** Milliseconds that a list waits for each server. */
  waitFor(server: string): number;
  /** The revision of the exposed tools, which grows with each change. */
  revision(): number;
}

/**
 * Answers `tools/list`: starts what is needed, all at once, and leaves out what is not there in time. Later tools are
 * announced when they come.
 */
export function createListTools(options: ListToolsOptions): (client: ClientRequest) => void {
  const { upstreams, waitFor, revision } = options;
  return ({ message, reply, told }) => {
    const waits = upstreams.map((upstream) => within(upstream.ready(), waitFor(upstream.name)));
    Promise.all(waits)
      .then(() => {
        told(revision());
        const entries = upstreams.flatMap((upstream) => upstream.entries());
        reply.finish(resultMessage(message.idText, toolList(entries)));
      })
      .catch(() => reply.fail(INTERNAL_ERROR, "The gateway failed to list its tools"));
  };
}

/** Waits for a promise, however it settles, but no longer than this. */
async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([late, promise.catch(() => {})]);
  clearTimeout(timer);
}

function toolList(entries: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from('{"tools":[')];
  entries.forEach((entry, index) => {
    if (index > 0) parts.push(Buffer.from(","));
    parts.push(entry);
  });
  parts.push(Buffer.from("]}"));
  return Buffer.concat(parts);
}
