import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import type { Client } from "../connection/client.ts";
import { limits } from "../limits.ts";
import { createToolCatalogs } from "./tools.ts";

type Page = { tools: unknown; nextCursor?: string };

/** A client whose server answers `tools/list` with these pages, one after another; it counts the requests. */
function serving(pages: (page: number) => Page) {
  const world = { requests: 0, revision: 0 };
  const client: Client = {
    request: async (_method, params) => {
      world.requests++;
      return pages(Number(params.cursor ?? 0));
    },
    offers: () => true,
    mirrors: false,
    revision: () => world.revision,
    lost: undefined,
    closed: Promise.resolve(),
    close: async () => {},
  };
  return { client, world };
}

const deadline = { deadlineMs: 10_000 };
const named = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `t${i}` }));
const list = ({ client }: ReturnType<typeof serving>) => createToolCatalogs().of(client, deadline);
const outcome = (catalog: Promise<unknown>) =>
  catalog.then(
    () => "listed",
    ({ code }) => code,
  );

describe("createToolCatalogs", () => {
  it("[A31] reads 100 pages and 10,000 tools, and refuses one more", async () => {
    const paged = (count: number) =>
      serving((page) => ({
        tools: named(1),
        ...(page + 1 < count ? { nextCursor: String(page + 1) } : {}),
      }));
    const sized = (count: number) => serving(() => ({ tools: named(count) }));
    const pages = edges(limits.maxCatalogPages).map((n) => outcome(list(paged(n))));
    const tools = edges(limits.maxTools).map((n) => outcome(list(sized(n))));
    const expected = ["listed", "listed", "LIMIT_EXCEEDED"];
    expect([await Promise.all(pages), await Promise.all(tools)]).toEqual([expected, expected]);
  });

  it("[A31] refuses a repeated cursor", async () => {
    const loop = serving(() => ({ tools: named(1), nextCursor: "1" }));
    await expect(list(loop)).rejects.toThrow(/repeats a page's cursor/);
  });

  it("[A20] asks once until the server tells of a change, and again after a failure", async () => {
    let isBroken = true;
    const { client, world } = serving(() => (isBroken ? { tools: "none" } : { tools: named(1) }));
    const catalogs = createToolCatalogs();
    await expect(catalogs.of(client, deadline)).rejects.toMatchObject({ code: "PROTOCOL_ERROR" });
    isBroken = false;
    const [first, second] = [catalogs.of(client, deadline), catalogs.of(client, deadline)];
    expect(await first).toBe(await second);
    expect(world.requests).toBe(2);
    world.revision++;
    expect(await catalogs.of(client, deadline)).not.toBe(await first);
    expect(world.requests).toBe(3);
  });

  it.each([
    ["keeps over stdio", false, ["bad", "good"], []],
    ["leaves out over modern HTTP", true, ["good"], ["bad"]],
  ])(
    "%s what asks for headers that there are none of, and says why",
    async (_name, mirrors, kept, left) => {
      const asking = (name: string, header: string) => ({
        name,
        inputSchema: { properties: { region: { type: "string", "x-mcp-header": header } } },
      });
      const { client } = serving(() => ({ tools: [asking("bad", "a b"), asking("good", "a")] }));
      const catalog = await createToolCatalogs().of({ ...client, mirrors }, deadline);
      expect(catalog.tools.map(({ name }) => name)).toEqual(kept);
      expect([...catalog.rejected.keys()]).toEqual(left);
      expect(catalog.rejected.get("bad") ?? "field name").toContain("field name");
      expect(catalog.find("bad") === undefined).toBe(mirrors);
    },
  );

  it("leaves out entries without a name, and finds exact names alone", async () => {
    const catalog = await list(serving(() => ({ tools: [{ name: "a" }, {}, null, { name: "" }] })));
    expect(catalog.tools.map(({ name }) => name)).toEqual(["a"]);
    expect([catalog.find("a")?.name, catalog.find("A")]).toEqual(["a", undefined]);
  });
});
