import { METHOD_NOT_FOUND, RpcError } from "@core/wire";
import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import type { Client } from "../connection/client.ts";
import { AdapterError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Catalogs } from "./kept.ts";
import { createPromptCatalogs } from "./prompts.ts";
import { createResourceCatalogs } from "./resources.ts";

type Answer = Record<string, unknown>;

/** A client whose server answers each method by this table, page by page; what is missing is not known to it. */
function serving(answers: Record<string, (page: number) => Answer>, offered = true) {
  const world = { requests: [] as string[], revision: 0 };
  const client: Client = {
    async request(method, params) {
      world.requests.push(method);
      const answer = answers[method];
      if (answer !== undefined) return answer(Number(params.cursor ?? 0));
      const cause = new RpcError(METHOD_NOT_FOUND, "Method not found");
      throw new AdapterError("SERVER_ERROR", "The server answered with an error", { cause });
    },
    offers: () => offered,
    mirrors: false,
    revision: () => world.revision,
    lost: undefined,
    closed: Promise.resolve(),
    close: async () => {},
  };
  return { client, world };
}

const DEADLINE = { deadlineMs: 10_000 };
const list = <T>(catalogs: Catalogs<T>, { client }: ReturnType<typeof serving>) =>
  catalogs.of(client, DEADLINE);
const outcome = (catalog: Promise<unknown>) =>
  catalog.then(
    () => "listed",
    ({ code }) => code,
  );
const resources = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ uri: `memo:${at}`, name: `memo ${at}` }));
const templates = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ uriTemplate: `memo:{${at}}`, name: `t${at}` }));
const prompts = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `p${at}` }));
const paged = (member: string, entries: unknown[], count: number) => (page: number) => ({
  [member]: entries,
  ...(page + 1 < count ? { nextCursor: String(page + 1) } : {}),
});
const EDGES = ["listed", "listed", "LIMIT_EXCEEDED"];

describe.each([
  ["prompts/list", "prompts", prompts(1), createPromptCatalogs],
  ["resources/list", "resources", resources(1), createResourceCatalogs],
  ["resources/templates/list", "resourceTemplates", templates(1), createResourceCatalogs],
] as const)("%s", (method, member, entries, create: () => Catalogs<unknown>) => {
  it("[A31] has at most 100 pages", async () => {
    const attempts = edges(limits.maxCatalogPages).map((count) =>
      outcome(list(create(), serving({ [method]: paged(member, [...entries], count) }))),
    );
    expect(await Promise.all(attempts)).toEqual(EDGES);
  });

  it("[A31] must not repeat a cursor", async () => {
    const loop = serving({ [method]: () => ({ [member]: entries, nextCursor: "1" }) });
    await expect(list(create(), loop)).rejects.toThrow(/repeats a page's cursor/);
  });

  it("is refused where its answer holds no list", async () => {
    const odd = serving({ [method]: () => ({ [member]: "none" }) });
    await expect(list(create(), odd)).rejects.toMatchObject({ code: "PROTOCOL_ERROR" });
  });

  it("is not asked for where the server does not offer it", async () => {
    const { client, world } = serving({}, false);
    await create().of(client, DEADLINE);
    expect(world.requests).toEqual([]);
  });
});

it("[A31] a server has at most 5,000 prompts", async () => {
  const attempts = edges(limits.maxPrompts).map((count) =>
    outcome(
      list(
        createPromptCatalogs(),
        serving({ "prompts/list": paged("prompts", prompts(count), 1) }),
      ),
    ),
  );
  expect(await Promise.all(attempts)).toEqual(EDGES);
});

it("[A31] a server has at most 5,000 resources and templates together", async () => {
  const attempts = edges(limits.maxResources).map((count) => {
    const half = Math.floor(count / 2);
    const server = serving({
      "resources/list": paged("resources", resources(half), 1),
      "resources/templates/list": paged("resourceTemplates", templates(count - half), 1),
    });
    return outcome(list(createResourceCatalogs(), server));
  });
  expect(await Promise.all(attempts)).toEqual(EDGES);
});

it("[A17] a server that knows no templates, or nothing else, is no error", async () => {
  const one = serving({ "resources/list": paged("resources", resources(2), 1) });
  expect(await list(createResourceCatalogs(), one)).toMatchObject({ templates: [] });
  const other = serving({
    "resources/templates/list": paged("resourceTemplates", templates(2), 1),
  });
  expect(await list(createResourceCatalogs(), other)).toMatchObject({ resources: [] });
  expect(await list(createPromptCatalogs(), serving({}))).toEqual([]);
});

it("[A20] a catalog is kept for one client until its server tells of a change", async () => {
  const { client, world } = serving({ "prompts/list": paged("prompts", prompts(1), 1) });
  const catalogs = createPromptCatalogs();
  const [first, second] = [catalogs.of(client, DEADLINE), catalogs.of(client, DEADLINE)];
  expect(await first).toBe(await second);
  expect(world.requests).toHaveLength(1);
  world.revision++;
  expect(await catalogs.of(client, DEADLINE)).not.toBe(await first);
  const next = serving({ "prompts/list": paged("prompts", prompts(2), 1) });
  expect(await catalogs.of(next.client, DEADLINE)).toHaveLength(2);
});
