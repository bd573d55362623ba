import { describe, expect, it } from "vitest";
import { classify, errorAnswer, idKey, isRequestId } from "./message.ts";

const read = (text: string) => classify(JSON.parse(text));

describe("requests and notifications", () => {
  it.each([
    ['"1"', "1"],
    ["1", 1],
    ["0", 0],
    ["-1", -1],
    ["1.5", 1.5],
    ['""', ""],
  ])("[W8] keep the type of the id %s", (text, id) => {
    expect(read(`{"jsonrpc":"2.0","id":${text},"method":"ping"}`)).toEqual({
      kind: "request",
      id,
      method: "ping",
    });
  });

  it("[W8] without an id are notifications", () => {
    expect(read('{"jsonrpc":"2.0","method":"m","params":{"a":1}}')).toEqual({
      kind: "notification",
      method: "m",
      params: { a: 1 },
    });
  });

  it("[W8] may hold unknown keys", () => {
    expect(read('{"jsonrpc":"2.0","id":1,"method":"m","x":1}').kind).toBe("request");
  });

  it.each([
    ['{"id":1,"method":"m"}', "jsonrpc"],
    ['{"jsonrpc":"1.0","id":1,"method":"m"}', "jsonrpc"],
    ['{"jsonrpc":2.0,"id":1,"method":"m"}', "jsonrpc"],
    ['{"jsonrpc":"2.0","id":1,"method":7}', "method"],
    ['{"jsonrpc":"2.0","id":1,"method":"m","params":[]}', "params"],
    ['{"jsonrpc":"2.0","id":1,"method":"m","params":null}', "params"],
    ['{"jsonrpc":"2.0","id":1,"method":"m","result":{}}', "not both"],
    ['{"jsonrpc":"2.0","id":1,"method":"m","error":null}', "not both"],
  ])("[W8] that break a rule are invalid and still answerable: %s", (text, reason) => {
    expect(read(text)).toEqual({ kind: "invalid", id: 1, reason: expect.stringContaining(reason) });
  });

  it.each(["null", "true", "[]", "{}", "1e999"])("[W8] are invalid with the id %s", (id) => {
    expect(read(`{"jsonrpc":"2.0","id":${id},"method":"m"}`)).toEqual({
      kind: "invalid",
      reason: "id must be a string or a number",
    });
  });
});

describe("answers", () => {
  it.each(["{}", "null", "0", '"x"', "[]"])("[W8] hold any result: %s", (result) => {
    expect(read(`{"jsonrpc":"2.0","id":1,"result":${result}}`)).toEqual({
      kind: "response",
      id: 1,
      result: JSON.parse(result),
    });
  });

  it("[W8] pass with unknown keys, without jsonrpc and with error null beside the result", () => {
    expect(read('{"id":"a","x":1,"result":{},"error":null}')).toEqual({
      kind: "response",
      id: "a",
      result: {},
    });
  });

  it("[W8] are errors if an error stands beside a result", () => {
    expect(read('{"id":1,"result":null,"error":{"code":-1,"message":"no","data":[1]}}')).toEqual({
      kind: "error",
      id: 1,
      error: { code: -1, message: "no", data: [1] },
    });
  });

  it.each([
    ['{"code":1.5,"message":"m"}', { code: 1.5, message: "m" }],
    ['{"code":"E1"}', { code: -32603, message: "error without a message" }],
    ['"boom"', { code: -32603, message: "boom" }],
    ["[]", { code: -32603, message: "error without a message" }],
  ])("[W8] with the odd error %s settle the call all the same", (text, error) => {
    expect(read(`{"jsonrpc":"2.0","id":1,"error":${text}}`)).toEqual({
      kind: "error",
      id: 1,
      error,
    });
  });

  it.each(["", '"id":null,'])("[W8] that are errors may lack an id: {%s…}", (id) => {
    expect(read(`{${id}"error":{"code":-32700,"message":"m"}}`)).toMatchObject({
      kind: "error",
      id: null,
    });
  });

  it.each([
    ['{"jsonrpc":"2.0","result":{}}', undefined],
    ['{"jsonrpc":"2.0","id":null,"result":{}}', undefined],
    ['{"jsonrpc":"2.0","id":{},"error":{}}', undefined],
    ['{"jsonrpc":"2.0","id":3}', 3],
    ['{"jsonrpc":"2.0","id":3,"error":null}', 3],
  ])("[W8] that answer nothing are invalid: %s", (text, id) => {
    const reason = expect.any(String);
    expect(read(text)).toEqual(
      id === undefined ? { kind: "invalid", reason } : { kind: "invalid", reason, id },
    );
  });
});

it("[W8] tells a batch from a message", () => {
  expect(read("[1,{}]")).toEqual({ kind: "batch", messages: [1, {}] });
});

it.each(["null", "1", '"x"', "true"])("[W8] finds no message in %s", (text) => {
  expect(read(text)).toEqual({ kind: "invalid", reason: "a message must be a JSON object" });
});

it('[W8] [G15] keeps 1, "1" and 1.5 apart as keys', () => {
  const keys = [1, "1", 1.5, "1.5", 0, "", "n1", "s1", -1].map(idKey);
  expect(new Set(keys).size).toBe(keys.length);
});

it("[W8] takes strings and finite numbers for ids, nothing else", () => {
  expect(["", "a", 0, -1, 1.5].every(isRequestId)).toBe(true);
  expect(
    [null, undefined, true, Number.NaN, Number.POSITIVE_INFINITY, {}, []].some(isRequestId),
  ).toBe(false);
});

it("[W8] builds error answers, with data only where there is some", () => {
  expect(errorAnswer("a", -32600, "no")).toEqual({
    jsonrpc: "2.0",
    id: "a",
    error: { code: -32600, message: "no" },
  });
  expect(errorAnswer(null, -32700, "no", 1).error).toEqual({
    code: -32700,
    message: "no",
    data: 1,
  });
});
