import { countBytes, countLines } from "@core/bounds";
import { describe, expect, it } from "vitest";
import { readTool, type Tool } from "../catalog/tool.ts";
import { limits } from "../limits.ts";
import { draftDescribe } from "./describe.ts";
import type { Draft } from "./draft.ts";
import { draftList, draftSearch } from "./tools.ts";

const make = (count: number, description?: string): Tool[] =>
  Array.from({ length: count }, (_, i) => readTool({ name: `tool_${i}`, description }) as Tool);
const textOf = ({ blocks }: Draft) =>
  blocks.map((block) => (block.type === "text" ? block.text : "[file]")).join("\n");
const list = (tools: Tool[], rejected = new Map<string, string>()) =>
  textOf(draftList({ operation: "tools.list", server: "s", tools, rejected }));
const search = (tools: Tool[], weak = false, query = "q") =>
  textOf(draftSearch({ operation: "tools.search", server: "s", query, matches: { tools, weak } }));

describe("draftList", () => {
  it("[A13] shows names and descriptions on one line each", () => {
    const tools = [readTool({ name: "a", description: " two\n lines " }), readTool({ name: "b" })];
    expect(list(tools as Tool[])).toBe('MCP tools on "s" (2)\n- a: two lines\n- b: No description');
  });

  it("[A13] says which tools are left out, three of them with the reason", () => {
    const rejected = (count: number) =>
      new Map(Array.from({ length: count }, (_, i) => [`t${i}`, `reason ${i}`]));
    const note = "Left out, because their definitions are not valid over HTTP:";
    expect(list(make(1), rejected(1)).split("\n")[1]).toBe(`${note} "t0" (reason 0)`);
    expect(list([], rejected(4))).toBe(
      `MCP tools on "s" (0)\n${note} "t0" (reason 0), "t1" (reason 1), "t2" (reason 2), 1 more`,
    );
  });

  it("[A13] cuts a description at 240 characters", () => {
    const row = (length: number) => list(make(1, "é".repeat(length))).split("\n")[1];
    expect(row(240)).toBe(`- tool_0: ${"é".repeat(240)}`);
    expect(row(241)).toBe(`- tool_0: ${"é".repeat(240)}…`);
  });

  it.each([
    [5000, "x".repeat(240)],
    [10_000, undefined],
  ])(
    "[A13] fits %i tools into the bounds, and says how many are left out",
    (count, description) => {
      const text = list(make(count, description));
      expect(countBytes(text)).toBeLessThanOrEqual(limits.maxInlineBytes);
      expect(countLines(text)).toBeLessThanOrEqual(limits.maxInlineLines);
      const shown = text.match(/^- /gm)?.length ?? 0;
      expect(text).toMatch(
        new RegExp(`… ${count - shown} more tools; find them with \\{"server":"s"`),
      );
    },
  );
});

describe("draftSearch", () => {
  it("[A14] shows at most 20 matches in at most 4 KiB, and how many more there are", () => {
    expect(search(make(20)).match(/^- /gm)).toHaveLength(20);
    expect(search(make(20))).not.toMatch(/more/);
    expect(search(make(21))).toMatch(/… 1 more; refine the query$/);
    const long = search(make(30, "界".repeat(4000)), true, "q".repeat(5000));
    expect(countBytes(long)).toBeLessThanOrEqual(limits.maxSearchBytes);
    const shown = long.match(/^- /gm)?.length ?? 0;
    expect(long).toMatch(new RegExp(`… ${30 - shown} more; refine the query$`));
  });

  it("[A14] says when nothing matches well, or at all", () => {
    expect(search(make(1), true)).toMatch(/No tool matches well/);
    expect(search([], true)).toMatch(/Nothing matches; .*\{"server":"s"\}/);
  });
});

describe("draftDescribe", () => {
  const describeTool = (entry: object) =>
    draftDescribe({
      operation: "tools.describe",
      server: "s",
      tool: readTool({ name: "t", ...entry }) as Tool,
    });

  it("[A15] shows the whole input schema with $defs, the output schema and the annotations", () => {
    const inputSchema = {
      $defs: { n: { type: "number" } },
      type: "object",
      properties: { n: { $ref: "#/$defs/n" } },
    };
    const text = textOf(
      describeTool({
        title: "T",
        description: "Does\nit",
        inputSchema,
        outputSchema: { x: 1 },
        annotations: { readOnlyHint: true },
      }),
    );
    expect(text).toContain(
      'MCP tool "t" on "s"\nTitle: T\nDoes\nit\nInput schema:\n{\n  "$defs": {',
    );
    expect(text).toMatch(
      /Output schema:\n\{\n {2}"x": 1\n\}\nAnnotations:\n\{\n {2}"readOnlyHint": true/,
    );
  });

  it("[A15] shows the shape of a schema that is too long, names what it leaves out, and keeps the whole", () => {
    const property = {
      type: "object",
      properties: { deep: { enum: Array.from({ length: 99 }, (_, i) => `v${i}`) } },
    };
    const properties = Object.fromEntries(
      Array.from({ length: 99 }, (_, i) => [`p${i}`, property]),
    );
    const draft = describeTool({
      inputSchema: { type: "object", properties },
      outputSchema: { type: "object" },
    });
    const text = textOf(draft);
    expect(countBytes(text)).toBeLessThanOrEqual(limits.maxInlineBytes);
    expect(text).toContain('"p98"');
    expect(text).toMatch(/Left out of the schema: "\/properties\/p0\/.*and \d+ more parts/);
    const file = draft.blocks.find(({ type }) => type === "file");
    expect(file).toMatchObject({ extension: "json", data: expect.stringContaining("v98") });
  });

  it("[A15] takes a schema that is missing or a boolean", () => {
    expect(textOf(describeTool({}))).toContain("Input schema:\n{}");
    expect(textOf(describeTool({ inputSchema: true }))).toContain("Input schema:\ntrue");
  });
});
