import { INTERNAL_ERROR } from "@core/wire";
import { resultMessage } from "../response/message.ts";
import { LISTS, type ListKind } from "../upstream/list-kind.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { ClientRequest } from "./client-request.ts";
import type { Exposure } from "./exposure.ts";

export interface ListOptions {
  /** In the configuration's order. */
  readonly upstreams: readonly Pick<Upstream, "name" | "ready">[];
  readonly exposure: Pick<Exposure, "entries" | "kindsOf">;
  /** Milliseconds that a list waits for each server. */
  waitFor(server: string): number;
  /** The revision of the exposed tools, which grows with each change. */
  revision(): number;
}

/**
 * Answers a list: starts the servers that are needed, all at once, and leaves out what is not there in time. Later entries
 * are announced when they come.
 */
export function createList(options: ListOptions, kind: ListKind): (client: ClientRequest) => void {
  const { upstreams, exposure, waitFor, revision } = options;
  const needed = upstreams.filter(({ name }) => exposure.kindsOf(name).includes(kind));
  return ({ message, reply, told, session }) => {
    const waits = needed.map((upstream) =>
      within(upstream.ready(kind, session), waitFor(upstream.name)),
    );
    Promise.all(waits)
      .then(() => {
        if (kind === "tools") told(revision());
        reply.finish(resultMessage(message.idText, listOf(kind, exposure.entries(kind))));
      })
      .catch(() => reply.fail(INTERNAL_ERROR, `The gateway failed to list its ${kind}`));
  };
}

/** Waits for a promise, however it settles, but no longer than this. */
export async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([late, promise.catch(() => {})]);
  clearTimeout(timer);
}

function listOf(kind: ListKind, entries: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from(`{"${LISTS[kind].member}":[`)];
  entries.forEach((entry, index) => {
    if (index > 0) parts.push(Buffer.from(","));
    parts.push(entry);
  });
  parts.push(Buffer.from("]}"));
  return Buffer.concat(parts);
}
