import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AdapterError } from "../errors.ts";
import { parseRequest } from "./parse.ts";
import { operations } from "./request.ts";

const REFERENCE = `mcp-resource-${"0123456789abcdef".repeat(2)}`;

function refusalOf(raw: unknown): AdapterError {
  try {
    parseRequest(raw, "s");
  } catch (error) {
    if (error instanceof AdapterError) return error;
    throw error;
  }
  throw new Error(`accepted ${JSON.stringify(raw)}`);
}

describe("parseRequest", () => {
  it("[A11] reads the empty object as status", () => {
    expect(parseRequest({})).toEqual({ operation: "status" });
  });

  it.each([
    [{ server: "s" }, { server: "s", operation: "tools.list" }],
    [
      { server: "s", search: "issue" },
      { server: "s", operation: "tools.search", query: "issue" },
    ],
    [
      { server: "s", describe: "x" },
      { server: "s", operation: "tools.describe", name: "x" },
    ],
    [
      { server: "s", tool: "x" },
      { server: "s", operation: "tools.call", name: "x" },
    ],
    [
      { server: "s", tool: "x", args: { q: 1 } },
      { server: "s", operation: "tools.call", name: "x", arguments: { q: 1 } },
    ],
  ])("[A11] reads the short form %j as the explicit form", (short, explicit) => {
    expect(parseRequest(short)).toEqual(parseRequest(explicit));
  });

  it.each([
    [{ operation: "resources.list", query: "a" }],
    [{ operation: "resources.read", resource: REFERENCE }],
    [{ operation: "prompts.list" }],
    [{ operation: "prompts.get", prompt: "review", arguments: { topic: "changes" } }],
    [{ operation: "reconnect" }],
  ])("reads %j of the seed", (fields) => {
    expect(parseRequest({ server: "s", ...fields })).toMatchObject({ server: "s", ...fields });
  });

  it("trims the server, the query, the name and the prompt", () => {
    const request = { server: " s ", operation: "tools.search", query: " two words " };
    expect(parseRequest(request)).toMatchObject({ server: "s", query: "two words" });
  });

  // In the order of the rules: each request breaks the rule named and a later one.
  it.each<[string, unknown, RegExp]>([
    ["an object", "text", /must be a JSON object/],
    ["an object", null, /must be a JSON object/],
    ["an object", [{}], /must be a JSON object/],
    ["known fields", { serverr: 1, server: 5 }, /Unknown field "serverr"/],
    ["known fields", JSON.parse('{"__proto__": 1}'), /Unknown field "__proto__"/],
    ["a server", { operation: "nope" }, /needs "server"/],
    ["a server", { server: "  ", search: "" }, /needs "server"/],
    ["one form", { server: "s", operation: "nope", search: null }, /"search" cannot be used/],
    [
      "a known operation",
      { server: "s", operation: "list", name: 1 },
      /must be one of tools\.list/,
    ],
    [
      "its own fields",
      { server: "s", operation: "tools.list", query: "" },
      /"query" does not belong/,
    ],
    ["required fields", { server: "s", operation: "tools.search" }, /needs "query"/],
    ["required fields", { server: "s", operation: "tools.call", name: " " }, /needs "name"/],
    ["a filled query", { server: "s", operation: "prompts.list", query: "" }, /needs "query"/],
    [
      "a reference",
      { server: "s", operation: "resources.read", resource: ` ${REFERENCE}` },
      /must be a reference/,
    ],
    [
      "object arguments",
      { server: "s", operation: "tools.call", name: "x", arguments: [1] },
      /"arguments" must be an object/,
    ],
    [
      "text arguments",
      { server: "s", operation: "prompts.get", prompt: "p", arguments: { a: 1 } },
      /must be a text/,
    ],
    [
      "operation with its fields",
      { server: "s", query: "x", search: "a", tool: "b" },
      /"query" needs "operation"/,
    ],
    ["one choice", { server: "s", search: "a", describe: "b", args: 1 }, /exactly one/],
    ["args with tool", { server: "s", search: "", args: {} }, /"args" needs "tool"/],
    ["a filled choice", { server: "s", tool: "", args: 5 }, /"tool" must be a text/],
    ["object args", { server: "s", tool: "x", args: "no json" }, /"args" must be an object/],
  ])("[A11] wants %s: %j", (_rule, raw, sentence) => {
    const refusal = refusalOf(raw);
    expect(refusal.code).toBe("INVALID_REQUEST");
    expect(refusal.message).toMatch(sentence);
    expect(() => parseRequest(JSON.parse(refusal.example ?? ""))).not.toThrow();
  });

  it("reads arguments null as none, and operation null as the short form", () => {
    const call = { server: "s", operation: "tools.call", name: "x", arguments: null };
    expect(parseRequest(call)).toMatchObject({ arguments: {} });
    expect(parseRequest({ server: "s", operation: null })).toMatchObject({
      operation: "tools.list",
    });
  });

  it("[A10] reads args and arguments that are JSON text of an object as that object", () => {
    const args = '{"q":"a \\"b\\"","n":[1]}';
    expect(parseRequest({ server: "s", tool: "x", args })).toMatchObject({
      arguments: { q: 'a "b"', n: [1] },
    });
    const explicit = { server: "s", operation: "tools.call", name: "x", arguments: args };
    expect(parseRequest(explicit)).toEqual(parseRequest({ server: "s", tool: "x", args }));
  });

  it.each(["[1]", "5", '"x"', "null", "{", ""])(
    "[A10] does not read args %j as an object",
    (args) => {
      expect(refusalOf({ server: "s", tool: "x", args }).message).toMatch(/must be an object/);
    },
  );

  it("[A11] either accepts or refuses with an example that it accepts, whatever comes", () => {
    const value = fc.oneof(
      fc.string(),
      fc.constant(null),
      fc.integer(),
      fc.dictionary(fc.string(), fc.string()),
    );
    const key = fc.constantFrom(
      ..."server operation query name resource prompt arguments search describe tool args".split(
        " ",
      ),
    );
    const operation = fc.constantFrom(...operations);
    fc.assert(
      fc.property(fc.dictionary(key, value), fc.option(operation), (fields, chosen) => {
        const raw = chosen === null ? fields : { ...fields, operation: chosen };
        try {
          parseRequest(raw, "s");
        } catch (error) {
          expect(error).toBeInstanceOf(AdapterError);
          parseRequest(JSON.parse((error as AdapterError).example ?? ""));
        }
      }),
    );
  });
});
