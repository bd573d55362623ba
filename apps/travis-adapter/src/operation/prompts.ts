import { matches } from "../catalog/match.ts";
import { nearest } from "../catalog/near.ts";
import type { Prompt, PromptCatalog, PromptCatalogs } from "../catalog/prompts.ts";
import type { References } from "../catalog/references.ts";
import { AdapterError, quote } from "../errors.ts";
import { limits } from "../limits.ts";
import { exampleOf } from "../request/example.ts";
import type { ServerRequest } from "../request/request.ts";
import { ask } from "./ask.ts";
import { referencesIn } from "./links.ts";
import type { Outcome } from "./outcome.ts";
import { catalogOf, type Reached } from "./reached.ts";

type Listing = Extract<ServerRequest, { operation: "prompts.list" }>;
type Getting = Extract<ServerRequest, { operation: "prompts.get" }>;

/** Lists all, or with a query the first of those that match it. */
export async function listPrompts(
  { server, query }: Listing,
  reached: Reached,
  catalogs: PromptCatalogs,
): Promise<Outcome> {
  const catalog = await catalogOf(catalogs, reached);
  const maximum = query === undefined ? Number.POSITIVE_INFINITY : limits.maxSearchMatches;
  const prompts = catalog.filter((entry) => matches(query, entry)).slice(0, maximum);
  return { operation: "prompts.list", server, query, promptCount: catalog.length, prompts };
}

/** Compares the arguments with what the prompt takes, then gets its messages, once. */
export async function getPrompt(
  request: Getting,
  reached: Reached,
  rooms: { readonly prompts: PromptCatalogs; readonly references: References },
): Promise<Outcome> {
  const { server, prompt: name } = request;
  const { client, signal } = reached;
  const prompt = findPrompt(request, await catalogOf(rooms.prompts, reached));
  requireArguments(request, prompt);
  const params = { name: prompt.name, arguments: request.arguments };
  const { result, declined } = await ask(client, "prompts/get", params, { signal });
  const messages = Array.isArray(result.messages) ? result.messages : [];
  if (messages.length > limits.maxPromptMessages)
    throw new AdapterError(
      "LIMIT_EXCEEDED",
      `The prompt has ${messages.length} messages, and at most ${limits.maxPromptMessages} are taken`,
    );
  const links = referencesIn(
    messages.map((message) => message?.content),
    (uri) => rooms.references.to(client, uri),
  );
  return { operation: "prompts.get", server, prompt: name, messages, links, declined };
}

function findPrompt({ server, prompt: name }: Getting, catalog: PromptCatalog): Prompt {
  const prompt = catalog.find((known) => known.name === name);
  if (prompt !== undefined) return prompt;
  const near = nearest(
    name,
    catalog.map((known) => known.name),
  ).map(quote);
  const advice = near.length > 0 ? `near names are ${near.join(", ")}` : "none is near";
  throw new AdapterError(
    "PROMPT_UNKNOWN",
    `There is no prompt named ${quote(name)} among its ${catalog.length}; ${advice}`,
    { example: exampleOf("prompts.list", server) },
  );
}

function requireArguments(
  { server, prompt: name, arguments: given }: Getting,
  prompt: Prompt,
): void {
  const taken = prompt.arguments.map((argument) => argument.name);
  const missing = prompt.arguments.filter(
    (argument) => argument.isRequired && !Object.hasOwn(given, argument.name),
  );
  const unknown = Object.keys(given).filter((key) => !taken.includes(key));
  const faults = [
    ...(missing.length === 0
      ? []
      : [`missing ${listed(missing.map((argument) => argument.name))}`]),
    ...(unknown.length === 0 ? [] : [`unknown ${listed(unknown)}`]),
  ];
  if (faults.length === 0) return;
  const takes = taken.length === 0 ? "it takes none" : `it takes ${listed(taken)}`;
  const required = prompt.arguments.filter((argument) => argument.isRequired);
  const example = Object.fromEntries(required.map((argument) => [argument.name, "…"]));
  throw new AdapterError(
    "ARGUMENTS_INVALID",
    `The arguments do not fit the prompt ${quote(name)}, so it was not requested: ${faults.join("; ")}; ${takes}`,
    {
      example: JSON.stringify({
        server,
        operation: "prompts.get",
        prompt: name,
        arguments: example,
      }),
    },
  );
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, limits.maxNamesListed).map(quote).join(", ");
  const more = names.length - limits.maxNamesListed;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
