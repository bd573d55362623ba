import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { identifyOversize } from "./identify.ts";
import { createOversizeRecorder } from "./oversize.ts";

function identify(message: string) {
  const recorder = createOversizeRecorder();
  recorder.add(Buffer.from(message));
  return identifyOversize(recorder.report());
}

const BIG = "x".repeat(10_000);
const result = JSON.stringify({ text: BIG, id: 99, method: "none" });

describe("identifyOversize", () => {
  it.each([
    ["in front", `{"jsonrpc":"2.0","id":7,"result":${result}}`, 7],
    ["in front, as a string", `{"id":"7","error":{"code":1,"message":"${BIG}"}}`, "7"],
    ["at the end", `{"result":${result},"jsonrpc":"2.0","id":0}`, 0],
    ["last but one", `{"result":${result}, "id" : "a\\"b" , "jsonrpc":"2.0" }`, 'a"b'],
  ])("[W8] finds the id of an answer: %s", (_, message, id) => {
    expect(identify(message)).toEqual({ kind: "answer", id });
  });

  it.each([
    [
      "a request",
      `{"jsonrpc":"2.0","id":7,"method":"m","params":${result}}`,
      { kind: "call", id: 7 },
    ],
    ["a notification", `{"jsonrpc":"2.0","method":"m","params":${result}}`, { kind: "call" }],
    ["an answer with its id amid", `{"result":${result},"id":7,"x":"${BIG}"}`, { kind: "answer" }],
    ["an answer without an id", `{"result":${result}}`, { kind: "answer" }],
    ["an id that is null", `{"id":null,"error":"${BIG}"}`, { kind: "answer" }],
    ["other JSON", `{"log":"${BIG}"}`, { kind: "unknown" }],
    ["no JSON", `log: ${BIG}`, { kind: "unknown" }],
  ])("[W8] claims no more than the ends show: %s", (_, message, expected) => {
    expect(identify(message)).toEqual(expected);
  });

  it("[W8] takes no id out of a text, nested object or number that was cut", () => {
    const inText = JSON.stringify(`,"id":5}`);
    expect(identify(`{"result":"${BIG}${inText.slice(1, -1)}"}`)).toEqual({ kind: "answer" });
    expect(identify(`{"result":{"x":"${BIG}","id":5}}`)).toEqual({ kind: "answer" });
    const digits = "1".repeat(5_000);
    expect(identify(`{"id":${digits},"result":"${BIG}"}`)).toEqual({ kind: "unknown" });
  });

  it("[W8] never names a wrong id, whatever the result holds", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), fc.boolean(), (inner, id, first) => {
        const padded = JSON.stringify([BIG, inner, inner]);
        const message = first
          ? `{"jsonrpc":"2.0","id":${id},"result":${padded}}`
          : `{"result":${padded},"jsonrpc":"2.0","id":${id}}`;
        expect(identify(message)).toEqual({ kind: "answer", id });
      }),
    );
  });
});
