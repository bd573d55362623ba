import { matches } from "../catalog/match.ts";
import type { References } from "../catalog/references.ts";
import { withoutUris } from "../catalog/resource.ts";
import type { ResourceCatalogs } from "../catalog/resources.ts";
import type { Client } from "../connection/client.ts";
import { AdapterError } from "../errors.ts";
import { limits } from "../limits.ts";
import { exampleOf } from "../request/example.ts";
import type { ServerRequest } from "../request/request.ts";
import { ask } from "./ask.ts";
import type { Outcome } from "./outcome.ts";
import { catalogOf, type Reached } from "./reached.ts";

type Listing = Extract<ServerRequest, { operation: "resources.list" }>;
type Reading = Extract<ServerRequest, { operation: "resources.read" }>;

/** Lists with opaque references, or with a query the first of those that match it. */
export async function listResources(
  { server, query }: Listing,
  reached: Reached,
  rooms: { readonly resources: ResourceCatalogs; readonly references: References },
): Promise<Outcome> {
  const { client } = reached;
  const catalog = await withoutUrisSaid(() => catalogOf(rooms.resources, reached));
  const { resources, templates } = catalog;
  const counts = { resourceCount: resources.length, templateCount: templates.length };
  const maximum = query === undefined ? Number.POSITIVE_INFINITY : limits.maxSearchMatches;
  const found = resources.filter((entry) => matches(query, entry)).slice(0, maximum);
  return {
    operation: "resources.list",
    server,
    query,
    ...counts,
    resources: found.map((resource) => ({
      resource,
      reference: rooms.references.to(client, resource.uri),
    })),
    templates: templates.filter((entry) => matches(query, entry)).slice(0, maximum - found.length),
  };
}

/**
 * Reads one resource, once, over the connection that its reference is of. Rejects with {@link AdapterError}
 * RESOURCE_UNKNOWN where that is not the present one: nothing is connected for it.
 */
export async function readByReference(
  { server, resource: reference }: Reading,
  client: Client | undefined,
  references: References,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const uri = client === undefined ? undefined : references.uriOf(client, reference);
  if (client === undefined || uri === undefined) throw unknownReference(server);
  const { result, declined } = await withoutUrisSaid(
    () => ask(client, "resources/read", { uri }, { signal }),
    uri,
  );
  const contents = Array.isArray(result.contents) ? result.contents : [];
  return { operation: "resources.read", server, reference, contents, declined };
}

function unknownReference(server: string): AdapterError {
  return new AdapterError(
    "RESOURCE_UNKNOWN",
    "The reference belongs to another server or to an earlier connection, so nothing was read; list the resources again for a present one",
    { example: exampleOf("resources.list", server) },
  );
}

/** Servers like to repeat the URI in what they say of a failure. */
async function withoutUrisSaid<T>(work: () => Promise<T>, uri?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AdapterError) || error.serverSaid === undefined) throw error;
    const { code, message, cause, serverSaid } = error;
    throw new AdapterError(code, message, { cause, serverSaid: withoutUris(serverSaid, uri) });
  }
}
