import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import {
  afterInitialize,
  completeResult,
  isModernRequest,
  isModernVersion,
  LEGACY_VERSIONS,
  META_KEYS,
  MODERN_VERSION,
  parseEnvelope,
  resultKind,
  stripEnvelope,
  withEnvelope,
} from "./era.ts";

const envelope = {
  protocolVersion: MODERN_VERSION,
  clientInfo: { name: "test", version: "1" },
  clientCapabilities: {},
};

describe("versions", () => {
  it("[W6] the legacy list is the v1 SDK's", () => {
    expect(LEGACY_VERSIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
  });

  it.each([
    ["2026-07-27", false],
    ["2026-07-28", true],
    ["2026-07-29", true],
    ["2027-01-01", true],
    ["2025-11-25", false],
    ["2026-07-28-draft", false],
    ["latest", false],
    [20260728, false],
    [undefined, false],
  ])("[W6] %s is modern: %s", (version, modern) => {
    expect(isModernVersion(version)).toBe(modern);
  });
});

describe("isModernRequest", () => {
  const ask = (params?: object) => ({ jsonrpc: "2.0", id: 1, method: "tools/list", params });
  const modernHeader = { "mcp-protocol-version": MODERN_VERSION };

  it.each([
    [
      "a modern key in _meta",
      ask({ _meta: { [META_KEYS.protocolVersion]: MODERN_VERSION } }),
      {},
      true,
    ],
    ["the key, whatever it says", ask({ _meta: { [META_KEYS.protocolVersion]: null } }), {}, true],
    [
      "the key beside a legacy header",
      ask({ _meta: { [META_KEYS.protocolVersion]: MODERN_VERSION } }),
      { "mcp-protocol-version": "2025-11-25", "mcp-session-id": "s" },
      true,
    ],
    ["a modern header alone", ask(), modernHeader, true],
    ["a later header", ask(), { "mcp-protocol-version": "2027-01-01" }, true],
    ["a legacy header", ask(), { "mcp-protocol-version": "2025-11-25" }, false],
    ["a header sent as a list", ask(), { "mcp-protocol-version": [MODERN_VERSION] }, false],
    [
      "initialize",
      { ...ask({ protocolVersion: MODERN_VERSION }), method: "initialize" },
      {},
      false,
    ],
    ["other envelope keys only", ask({ _meta: { [META_KEYS.clientInfo]: {} } }), {}, false],
    ["the key in the result's place", { id: 1, result: { _meta: envelope } }, {}, false],
    ["no message", null, {}, false],
    ["_meta that is a list", ask({ _meta: [META_KEYS.protocolVersion] }), {}, false],
  ])("[W8] decides by _meta and header alone: %s", (_, message, headers, modern) => {
    expect(isModernRequest(message, headers)).toBe(modern);
  });
});

describe("the envelope", () => {
  it("[W8] goes into _meta beside the caller's own keys, and comes out as it went in", () => {
    const params = { name: "t", _meta: { progressToken: 1, "com.example/x": true } };
    const enveloped = withEnvelope(params, envelope);
    expect(enveloped).toEqual({
      name: "t",
      _meta: {
        progressToken: 1,
        "com.example/x": true,
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    });
    expect(parseEnvelope(enveloped)).toEqual({ ok: true, envelope });
    expect(stripEnvelope(enveloped)).toEqual(params);
  });

  it("[W8] leaves no trace in params that had no _meta", () => {
    expect(stripEnvelope(withEnvelope({ a: 1 }, envelope))).toEqual({ a: 1 });
    expect(stripEnvelope(withEnvelope(undefined, envelope))).toEqual({});
    expect(stripEnvelope(undefined)).toBeUndefined();
    expect(stripEnvelope({ a: 1, _meta: "odd" })).toEqual({ a: 1, _meta: "odd" });
  });

  it("[W8] keeps foreign keys of the reserved prefix and drops the log level", () => {
    const _meta = {
      [META_KEYS.protocolVersion]: MODERN_VERSION,
      [META_KEYS.logLevel]: "info",
      "io.modelcontextprotocol/related-task": { taskId: "1" },
    };
    expect(stripEnvelope({ _meta })).toEqual({
      _meta: { "io.modelcontextprotocol/related-task": { taskId: "1" } },
    });
  });

  it.each([
    ["no params", undefined, META_KEYS.protocolVersion],
    ["a version that is no text", { [META_KEYS.protocolVersion]: 1 }, META_KEYS.protocolVersion],
    ["no capabilities", { [META_KEYS.protocolVersion]: "x" }, META_KEYS.clientCapabilities],
    [
      "a client that is no object",
      {
        [META_KEYS.protocolVersion]: "x",
        [META_KEYS.clientCapabilities]: {},
        [META_KEYS.clientInfo]: "me",
      },
      META_KEYS.clientInfo,
    ],
  ])("[W8] names the key that is wrong: %s", (_, _meta, key) => {
    expect(parseEnvelope(_meta && { _meta })).toEqual({ ok: false, key });
  });

  it("[W8] needs no clientInfo", () => {
    const { clientInfo: _, ...anonymous } = envelope;
    expect(parseEnvelope(withEnvelope({}, anonymous))).toEqual({ ok: true, envelope: anonymous });
  });
});

describe("results", () => {
  const serverInfo = { name: "gateway", version: "1" };

  it("[W8] a legacy list result is completed for a modern client", () => {
    expect(completeResult("tools/list", { tools: [] }, { serverInfo })).toEqual({
      resultType: "complete",
      ttlMs: 0,
      cacheScope: "private",
      tools: [],
      _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
    });
  });

  it("[W8] a call's result has no caching fields", () => {
    expect(completeResult("tools/call", { content: [] })).toEqual({
      resultType: "complete",
      content: [],
    });
  });

  it("[W8] what the server said itself wins", () => {
    const result = {
      resultType: "input_required",
      ttlMs: 5,
      cacheScope: "public",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "own" }, x: 1 },
    };
    expect(completeResult("resources/read", result, { serverInfo })).toEqual(result);
  });

  it.each([
    [{}, "complete"],
    [{ resultType: "complete" }, "complete"],
    [{ resultType: "input_required" }, "input_required"],
    [{ resultType: "task" }, "unknown"],
    [{ resultType: 1 }, "unknown"],
    [null, "unknown"],
    [[], "unknown"],
  ])("[W8] %j is %s", (result, kind) => {
    expect(resultKind(result)).toBe(kind);
  });
});

describe("afterInitialize", () => {
  const body = (code: number) => ({ jsonrpc: "2.0", id: 1, error: { code, message: "no" } });

  it.each([
    ["the version is refused", { kind: "error", code: -32022 }, "discover"],
    ["the method is unknown", { kind: "error", code: -32601 }, "discover"],
    ["the server ended", { kind: "ended" }, "restart"],
    ["nothing came in time", { kind: "silent" }, "discover"],
    ["the answer is modern", { kind: "revision", version: "2026-07-28" }, "discover"],
    ["the answer's revision is unknown", { kind: "revision", version: "1999-01-01" }, "fail"],
    ["the answer names no revision", { kind: "revision", version: undefined }, "fail"],
    ["400 refuses the version", { kind: "http", status: 400, body: body(-32022) }, "discover"],
    ["400 misses the headers", { kind: "http", status: 400, body: body(-32020) }, "discover"],
    ["404 knows no such method", { kind: "http", status: 404, body: body(-32601) }, "discover"],
    ["404 without such a body", { kind: "http", status: 404, body: "not found" }, "fail"],
    ["400 of another kind", { kind: "http", status: 400, body: body(-32000) }, "fail"],
    ["401 with such a body", { kind: "http", status: 401, body: body(-32601) }, "fail"],
    ["500 with such a body", { kind: "http", status: 500, body: body(-32022) }, "fail"],
    ["the server is at fault", { kind: "error", code: -32603 }, "fail"],
    ["the params are refused", { kind: "error", code: -32602 }, "fail"],
    ["something else", { kind: "other" }, "fail"],
  ] as const)("[W8] after initialize failed because %s", (_, failure, next) => {
    expect(afterInitialize(failure)).toBe(next);
  });
});
