import { isObject, METHOD_NOT_FOUND, RpcError } from "@core/wire";
import type { AdapterError } from "../errors.ts";
import { limits } from "../limits.ts";
import { listEntries } from "./entries.ts";
import { type Catalogs, createCatalogs } from "./kept.ts";

/** A prompt as its server lists it. */
export interface Prompt {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly arguments: readonly PromptArgument[];
}

interface PromptArgument {
  readonly name: string;
  readonly isRequired: boolean;
}

/** All prompts of a server, in its order. */
export type PromptCatalog = readonly Prompt[];
export type PromptCatalogs = Catalogs<PromptCatalog>;

export function createPromptCatalogs(): PromptCatalogs {
  return createCatalogs("prompts", async (client, deadlineMs, signal) => {
    if (!client.offers("prompts")) return [];
    const request = {
      method: "prompts/list",
      member: "prompts",
      called: "prompts",
      maxEntries: limits.maxPrompts,
      deadlineMs,
      signal,
    };
    const entries = await listEntries(client, request).catch((error: AdapterError) => {
      if (error.cause instanceof RpcError && error.cause.code === METHOD_NOT_FOUND) return [];
      throw error;
    });
    return entries.flatMap((entry) => readPrompt(entry) ?? []);
  });
}

/** Reads one entry of `prompts/list`; undefined for one without a name, which nobody could get. */
function readPrompt(entry: unknown): Prompt | undefined {
  if (!isObject(entry) || typeof entry.name !== "string" || entry.name === "") return undefined;
  const args = Array.isArray(entry.arguments) ? entry.arguments : [];
  return {
    name: entry.name,
    title: textOf(entry.title),
    description: textOf(entry.description),
    arguments: args.flatMap((arg) =>
      isObject(arg) && typeof arg.name === "string"
        ? [{ name: arg.name, isRequired: arg.required === true }]
        : [],
    ),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
