import { describe, expect, it } from "vitest";
import { readTool, type Tool } from "../catalog/tool.ts";
import { checkArguments } from "./arguments.ts";

const check = (inputSchema: unknown, args: Record<string, unknown>) =>
  checkArguments("s", readTool({ name: "t", inputSchema }) as Tool, args);
const pair = {
  type: "object",
  properties: { p: { prefixItems: [{ type: "number" }] } },
};

describe("checkArguments", () => {
  it("[A16] accepts what fits and names the failing paths, never a value", async () => {
    const schema = {
      type: "object",
      properties: { a: { type: "number" }, list: { items: { type: "string" } } },
      required: ["b"],
      additionalProperties: false,
    };
    await expect(check(schema, { a: 1, b: 2 })).rejects.toThrow(/\("b"\)/);
    await expect(check(schema, { a: "secret-value", list: ["x", 5] })).rejects.toMatchObject({
      code: "ARGUMENTS_INVALID",
      message: expect.stringMatching(
        /required property 'b'.*\/a must be number; \/list\/1 must be string/,
      ),
    });
    await expect(check(schema, { a: "secret-value" })).rejects.not.toThrow(/secret-value/);
    expect(await check({ type: "object" }, {})).toBe(true);
    expect(await check(undefined, {})).toBe(true);
    expect(await check(true, {})).toBe(true);
  });

  it("[A16] reads 2020-12 unless the schema names draft-07", async () => {
    await expect(check(pair, { p: ["x"] })).rejects.toThrow("/p/0 must be number");
    const older = { ...pair, $schema: "http://json-schema.org/draft-07/schema#" };
    expect(await check(older, { p: ["x"] })).toBe(true);
  });

  it.each([
    { properties: { a: { $ref: "https://example.invalid/schema.json" } } },
    { properties: { a: { pattern: "(?i)x" } } },
    { type: "no-such-type" },
    "text",
    null,
  ])("[A16] skips the schema %j, which does not compile", async (schema) => {
    expect(await check(schema, { a: 5 })).toBe(false);
  });

  it("keeps two schemas of one $id apart", async () => {
    const of = (type: string) => ({ $id: "https://x/same", properties: { a: { type } } });
    expect(await check(of("string"), { a: "x" })).toBe(true);
    expect(await check(of("number"), { a: 1 })).toBe(true);
  });
});
