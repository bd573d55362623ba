import { METHOD_NOT_FOUND, RpcError } from "@core/wire";
import type { Client } from "../connection/client.ts";
import type { AdapterError } from "../errors.ts";
import { limits } from "../limits.ts";
import { listEntries } from "./entries.ts";
import { type Catalogs, createCatalogs } from "./kept.ts";
import { type Resource, readResource, readTemplate, type Template } from "./resource.ts";

/** What a server has to read, in its order. A resource that it lists twice is there once. */
interface ResourceCatalog {
  readonly resources: readonly Resource[];
  readonly templates: readonly Template[];
}

export type ResourceCatalogs = Catalogs<ResourceCatalog>;

export function createResourceCatalogs(): ResourceCatalogs {
  return createCatalogs("resources", discover);
}

/** Resources and templates together stay within one limit. */
async function discover(
  client: Client,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<ResourceCatalog> {
  if (!client.offers("resources")) return { resources: [], templates: [] };
  const bounds = { deadlineMs, signal };
  const resources = await listOptional(client, {
    ...bounds,
    method: "resources/list",
    member: "resources",
    called: "resources",
    maxEntries: limits.maxResources,
  });
  const templates = await listOptional(client, {
    ...bounds,
    method: "resources/templates/list",
    member: "resourceTemplates",
    called: "resources and templates",
    maxEntries: limits.maxResources - resources.length,
  });
  return {
    resources: merged(resources.flatMap((entry) => readResource(entry) ?? [])),
    templates: templates.flatMap((entry) => readTemplate(entry) ?? []),
  };
}

/** A server that offers resources may know only one of both lists. */
async function listOptional(
  client: Client,
  request: Parameters<typeof listEntries>[1],
): Promise<unknown[]> {
  try {
    return await listEntries(client, request);
  } catch (error) {
    const { cause } = error as AdapterError;
    if (cause instanceof RpcError && cause.code === METHOD_NOT_FOUND) return [];
    throw error;
  }
}

function merged(resources: readonly Resource[]): Resource[] {
  const first = new Map<string, Resource>();
  for (const resource of resources) if (!first.has(resource.uri)) first.set(resource.uri, resource);
  return [...first.values()];
}
