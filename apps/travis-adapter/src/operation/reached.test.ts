import { expect, it } from "vitest";
import type { ServerDefinition } from "../config/schema.ts";
import type { Client } from "../connection/client.ts";
import { catalogOf } from "./reached.ts";

/** The milliseconds that a whole discovery gets from a server with this timeout. */
async function deadlineWith(requestTimeoutMs?: number): Promise<number> {
  const definition: ServerDefinition = {
    name: "s",
    kind: "http",
    url: "http://x",
    headers: {},
    reconnect: { automatic: false, maxAttempts: 1, baseDelayMs: 100 },
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
  };
  const catalogs = {
    of: async (_client: Client, { deadlineMs }: { deadlineMs: number }) => deadlineMs,
  };
  return catalogOf(catalogs, { definition, client: {} as Client, signal: undefined });
}

it("[A23] a whole discovery has 300 s, unless each of its requests has a timeout of its own", async () => {
  const deadlines = [undefined, 0, -5, 1, 1_800_000].map(deadlineWith);
  const none = Number.POSITIVE_INFINITY;
  expect(await Promise.all(deadlines)).toEqual([300_000, 300_000, 300_000, none, none]);
});
