import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MODERN_VERSION, withEnvelope } from "./era.ts";
import {
  checkParamHeaders,
  checkRequestHeaders,
  decodeHeaderValue,
  encodeHeaderValue,
  type ParamHeader,
  readParamHeaders,
  requestHeaders,
} from "./headers.ts";
import type { JsonObject } from "./message.ts";

const envelope = { protocolVersion: MODERN_VERSION, clientCapabilities: {} };
const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const call = (name: string, args: JsonObject = {}) => ({
  method: "tools/call",
  params: withEnvelope({ name, arguments: args }, envelope),
});

describe("header values", () => {
  it.each([
    ["us-west1", "us-west1"],
    ["", ""],
    ["two words", "two words"],
    ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
    [" padded ", "=?base64?IHBhZGRlZCA=?="],
    ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
    ["=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
    ["\ttab", "=?base64?CXRhYg==?="],
  ])("[W8] %j travels as %s", (text, value) => {
    expect(encodeHeaderValue(text)).toBe(value);
    expect(decodeHeaderValue(value)).toBe(text);
  });

  it("[W8] every text comes back, in characters that HTTP carries unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const value = encodeHeaderValue(text);
        expect(value).toMatch(/^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/);
        expect(decodeHeaderValue(value)).toBe(text);
      }),
    );
  });

  it.each([
    ["a character that HTTP has not", "caf\u00e9"],
    ["base64 without its padding", "=?base64?SGVsbG8?="],
    ["base64 of the URL alphabet", "=?base64?_-__?="],
    ["bytes that are no UTF-8", "=?base64?/w==?="],
  ])("[W8] refuses %s", (_, value) => {
    expect(decodeHeaderValue(value)).toBeUndefined();
  });

  it("[W8] takes the sentinel in exactly its case, and all else literally", () => {
    expect(decodeHeaderValue("=?BASE64?SGVsbG8=?=")).toBe("=?BASE64?SGVsbG8=?=");
    expect(decodeHeaderValue("=?base64?SGVsbG8=")).toBe("=?base64?SGVsbG8=");
  });
});

describe("checkRequestHeaders", () => {
  it.each([
    ["a call", call("echo")],
    ["a name that needs base64", call("écho ")],
    ["a read", { method: "resources/read", params: withEnvelope({ uri: "file:///ä" }, envelope) }],
    ["a prompt", { method: "prompts/get", params: withEnvelope({ name: "p" }, envelope) }],
    ["a list, which has no name", { method: "tools/list", params: withEnvelope({}, envelope) }],
    [
      "a call without a name, which its handler refuses",
      { method: "tools/call", params: withEnvelope({}, envelope) },
    ],
  ])("[W8] accepts what requestHeaders made: %s", (_, message) => {
    const headers = lowerCase(requestHeaders(message, MODERN_VERSION));
    expect(checkRequestHeaders(message, headers)).toEqual({ ok: true, envelope });
  });

  const message = call("echo");
  const good = lowerCase(requestHeaders(message, MODERN_VERSION));
  const { "mcp-protocol-version": _v, ...noVersion } = good;
  const { "mcp-method": _m, ...noMethod } = good;
  const { "mcp-name": _n, ...noName } = good;

  it.each([
    ["no version", noVersion, "MCP-Protocol-Version is missing"],
    [
      "another version",
      { ...good, "mcp-protocol-version": "2025-11-25" },
      "MCP-Protocol-Version differs from the body",
    ],
    ["no method", noMethod, "Mcp-Method is missing"],
    ["another method", { ...good, "mcp-method": "tools/list" }, "Mcp-Method differs from the body"],
    [
      "a method in another case",
      { ...good, "mcp-method": "Tools/Call" },
      "Mcp-Method differs from the body",
    ],
    [
      "a method in base64, which a proxy would not read",
      { ...good, "mcp-method": "=?base64?dG9vbHMvY2FsbA==?=" },
      "Mcp-Method differs from the body",
    ],
    ["no name", noName, "Mcp-Name is missing"],
    ["another name", { ...good, "mcp-name": "rm" }, "Mcp-Name differs from the body"],
    [
      "a name that was sent twice",
      { ...good, "mcp-name": "echo, echo" },
      "Mcp-Name differs from the body",
    ],
    ["a malformed name", { ...good, "mcp-name": "=?base64?x?=" }, "Mcp-Name is malformed"],
  ])("[W8] refuses with 400 and -32020: %s", (_, headers, problem) => {
    expect(checkRequestHeaders(message, headers)).toEqual({
      ok: false,
      status: 400,
      error: { code: -32020, message: `Header mismatch: ${problem}` },
    });
  });

  it("[W8] refuses a version that both sides name and we lack with -32022 and what we have", () => {
    const future = {
      method: "tools/list",
      params: withEnvelope({}, { ...envelope, protocolVersion: "2027-01-01" }),
    };
    expect(checkRequestHeaders(future, { "mcp-protocol-version": "2027-01-01" })).toEqual({
      ok: false,
      status: 400,
      error: {
        code: -32022,
        message: "Unsupported protocol version",
        data: { supported: ["2026-07-28"], requested: "2027-01-01" },
      },
    });
  });

  it("[W8] refuses an incomplete envelope with -32602", () => {
    const bare = { method: "tools/list", params: {} };
    expect(checkRequestHeaders(bare, good)).toMatchObject({
      status: 400,
      error: { code: -32602, message: expect.stringContaining("protocolVersion") },
    });
  });
});

describe("Mcp-Param headers", () => {
  const schema = {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      count: { type: "integer", "x-mcp-header": "Count" },
      deep: { type: "object", properties: { on: { type: "boolean", "x-mcp-header": "On" } } },
      plain: { type: "string" },
    },
  };
  const mirrored: readonly ParamHeader[] = [
    { name: "Region", path: ["region"], type: "string" },
    { name: "Count", path: ["count"], type: "integer" },
    { name: "On", path: ["deep", "on"], type: "boolean" },
  ];

  it("[W8] are read from the schema, in its order", () => {
    expect(readParamHeaders(schema)).toEqual({ ok: true, headers: mirrored });
    expect(readParamHeaders(true)).toEqual({ ok: true, headers: [] });
  });

  const text = (name: unknown) => ({ type: "string", "x-mcp-header": name });
  const properties = (given: object) => ({ type: "object", properties: given });
  it.each([
    ["an empty name", properties({ a: text("") })],
    ["a name with a blank", properties({ a: text("My Region") })],
    ["a name with a colon", properties({ a: text("a:b") })],
    ["a name with a line break", properties({ a: text("a\r\nb") })],
    ["a name beyond ASCII", properties({ a: text("é") })],
    ["a name that is no text", properties({ a: text(1) })],
    ["one name twice", properties({ a: text("X"), b: text("X") })],
    ["one name in two cases", properties({ a: text("Xy"), b: text("xY") })],
    ["a number", properties({ a: { type: "number", "x-mcp-header": "A" } })],
    ["an object", properties({ a: { type: "object", "x-mcp-header": "A" } })],
    ["several types", properties({ a: { type: ["string", "null"], "x-mcp-header": "A" } })],
    ["no type", properties({ a: { "x-mcp-header": "A" } })],
    ["the root", { ...text("A") }],
    ["list items", properties({ a: { type: "array", items: text("A") } })],
    ["a branch", { anyOf: [properties({ a: text("A") })] }],
    ["a condition", { if: properties({ a: text("A") }) }],
    ["a definition", { $defs: { a: text("A") } }],
    ["additional properties", { additionalProperties: text("A") }],
    ["pattern properties", { patternProperties: { "^a": text("A") } }],
  ])("[W8] make a tool's definition invalid on %s", (_, bad) => {
    expect(readParamHeaders(bad)).toEqual({ ok: false, reason: expect.any(String) });
  });

  it("[W8] a property may be called like a keyword, and an example annotates nothing", () => {
    const odd = properties({ default: text("D"), enum: text("E") });
    expect(
      readParamHeaders({ ...odd, default: { a: text("") }, examples: [text("")] }),
    ).toMatchObject({
      ok: true,
      headers: [{ path: ["default"] }, { path: ["enum"] }],
    });
  });

  it("[W8] a schema nested 100,000 levels deep is read without recursion", () => {
    let deep: object = {};
    for (let level = 0; level < 100_000; level++) deep = { items: deep };
    expect(readParamHeaders(deep)).toEqual({ ok: true, headers: [] });
  });

  it("[W8] mirror what the arguments hold, and nothing for null, absent and unsafe integers", () => {
    const headersFor = (args: JsonObject) => {
      const {
        "MCP-Protocol-Version": _,
        "Mcp-Method": __,
        "Mcp-Name": ___,
        ...rest
      } = requestHeaders(call("t", args), MODERN_VERSION, mirrored);
      return rest;
    };
    expect(headersFor({ region: "ü", count: -7, deep: { on: false }, plain: "x" })).toEqual({
      "Mcp-Param-Region": "=?base64?w7w=?=",
      "Mcp-Param-Count": "-7",
      "Mcp-Param-On": "false",
    });
    expect(headersFor({ region: null, count: 2 ** 53, deep: "none" })).toEqual({});
    expect(headersFor({ region: "" })).toEqual({ "Mcp-Param-Region": "" });
  });

  it("[W8] are checked against the arguments", () => {
    const args = { region: "ü", count: 42, deep: { on: true } };
    const good = lowerCase(requestHeaders(call("t", args), MODERN_VERSION, mirrored));
    const check = (changes: object, given: JsonObject = args) =>
      checkParamHeaders(mirrored, given, { ...good, ...changes })?.error.message;
    expect(check({})).toBeUndefined();
    expect(check({ "mcp-param-count": "42.0" })).toBeUndefined();
    expect(check({ "mcp-param-count": "4e1" })).toBe(
      "Header mismatch: Mcp-Param-Count differs from the body",
    );
    expect(check({ "mcp-param-count": "43" })).toBe(
      "Header mismatch: Mcp-Param-Count differs from the body",
    );
    expect(check({ "mcp-param-region": undefined })).toBe(
      "Header mismatch: Mcp-Param-Region is missing",
    );
    expect(check({ "mcp-param-region": "\u00fc" })).toBe(
      "Header mismatch: Mcp-Param-Region is malformed",
    );
    expect(check({ "mcp-param-on": "True" })).toBe(
      "Header mismatch: Mcp-Param-On differs from the body",
    );
    expect(check({}, { region: null })).toBeUndefined();
  });
});
