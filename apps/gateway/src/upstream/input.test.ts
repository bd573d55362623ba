import { readEnvelope } from "@core/wire";
import { describe, expect, it } from "vitest";
import type { Answer } from "./answer.ts";
import { declaredInput, inputProblem } from "./input.ts";

const K = "io.modelcontextprotocol";

function declared(meta: string): string | undefined {
  const bytes = Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":${meta}}}`);
  const message = readEnvelope(bytes);
  if (message.kind !== "request") throw new Error("The test's message is no request");
  return declaredInput(bytes, message);
}

function problem(result: object, given?: string): string | undefined {
  const bytes = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
  return inputProblem({ bytes, message: readEnvelope(bytes) } as Answer, given);
}

describe("declaredInput", () => {
  const version = `"${K}/protocolVersion":"2026-07-28"`;
  it.each([
    ["{}", undefined],
    [`{"${K}/clientCapabilities":{"sampling":{}}}`, undefined],
    [`{${version}}`, "{}"],
    [`{${version},"${K}/clientCapabilities":{"roots":{},"x":1}}`, "{}"],
    [
      `{${version},"${K}/clientCapabilities":{"roots":{},"elicitation":{"url":{} },"sampling":{}}}`,
      '{"elicitation":{"url":{} },"sampling":{}}',
    ],
    [`{${version},"${K}/clientCapabilities":{"sampling":{},"sampling":1}}`, '{"sampling":1}'],
    [`{${version},"${K}/clientCapabilities":[]}`, "{}"],
  ])("[G16] takes from %s what servers may ask for, and never roots", (meta, expected) => {
    expect(declared(meta)).toBe(expected);
  });
});

describe("inputProblem", () => {
  const asks = (...methods: string[]) => ({
    resultType: "input_required",
    inputRequests: Object.fromEntries(methods.map((method, n) => [`key ${n}`, { method }])),
  });
  const both = '{"sampling":{},"elicitation":{}}';
  it.each([
    ["an answer", { content: [] }, undefined],
    ["a complete answer", { resultType: "complete" }, undefined],
    ["a question that was declared", asks("sampling/createMessage"), both],
    ["two", asks("sampling/createMessage", "elicitation/create"), both],
    ["one that asks for nothing but to come again", { resultType: "input_required" }, "{}"],
  ])("[G12] finds none in %s", (_name, result, given) => {
    expect(problem(result, given)).toBeUndefined();
  });

  it.each([
    ["a client with sessions", asks("elicitation/create"), undefined, "cannot give"],
    ["one that declared nothing", asks("elicitation/create"), "{}", "not declared"],
    ["one that declared another", asks("elicitation/create"), '{"sampling":{}}', "not declared"],
    ["one that declared one of two", asks("sampling/createMessage", "x"), both, "not declared"],
    ["any, for roots", asks("roots/list"), '{"roots":{}}', "not declared"],
    ["any, by a name of Object's", asks("toString"), both, "not declared"],
    [
      "any, in no known form",
      { resultType: "input_required", inputRequests: 1 },
      both,
      "not declared",
    ],
  ])("[G16] finds one in a question to %s", (_name, result, given, expected) => {
    expect(problem(result, given)).toContain(expected);
  });
});
