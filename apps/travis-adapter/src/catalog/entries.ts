import { collectPages, LimitError } from "@core/bounds";
import type { Client } from "../connection/client.ts";
import { AdapterError } from "../errors.ts";
import { limits } from "../limits.ts";

export interface ListRequest {
  /** The wire's method, and the member of its result that holds the entries. */
  readonly method: string;
  readonly member: string;
  /** What the entries are called in a sentence. */
  readonly called: string;
  readonly maxEntries: number;
  /** Milliseconds for all pages together. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** All entries of one list, page by page, as they came. Rejects with {@link AdapterError}. */
export async function listEntries(client: Client, request: ListRequest): Promise<unknown[]> {
  const { method, member, called, maxEntries, deadlineMs, signal } = request;
  const page = async (cursor: string | undefined, stop: AbortSignal) => {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request(method, params, { signal: stop });
    const { [member]: entries, nextCursor } = result;
    if (!Array.isArray(entries))
      throw new AdapterError(
        "PROTOCOL_ERROR",
        `The server's answer to ${method} holds no ${called}`,
      );
    return { entries, nextCursor: typeof nextCursor === "string" ? nextCursor : undefined };
  };
  try {
    const bounds = { maxPages: limits.maxCatalogPages, maxEntries, deadlineMs, signal };
    return await collectPages<unknown>(page, bounds);
  } catch (error) {
    throw error instanceof LimitError ? overLimit(error, called) : error;
  }
}

const OVER_LIMIT: Readonly<Record<string, (maximum: number) => string>> = {
  pages: (maximum) => `has more than ${maximum} pages`,
  entries: (maximum) => `has more than ${maximum} entries`,
  repeatedCursor: () => "repeats a page's cursor and would never end",
  deadline: (maximum) => `was not complete after ${maximum} ms`,
};

function overLimit({ limit, maximum }: LimitError, called: string): AdapterError {
  const fault = OVER_LIMIT[limit]?.(maximum) ?? `crosses the limit ${limit}`;
  return new AdapterError("LIMIT_EXCEEDED", `The server's list of ${called} ${fault}`);
}
