import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonDocument } from "./json-document.ts";

const parse = (text: string, limits = {}) => parseJsonDocument(text, { file: "f.json", limits });
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("JSON documents", () => {
  it("[C1] give the values that JSON.parse gives, for any JSON", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        fc.pre(!text.includes("__proto__"));
        expect(parse(text).value).toEqual(JSON.parse(text));
      }),
    );
  });

  it("[C1] know where each key and value stands, in code points", () => {
    const document = parse('{\n  "😀": {"a": [1, "é",\ttrue]},\r\n  "b": null\n}');
    expect(document.positionOf([])).toEqual({ line: 1, column: 1 });
    expect(document.keyPositionOf(["😀"])).toEqual({ line: 2, column: 3 });
    expect(document.positionOf(["😀"])).toEqual({ line: 2, column: 8 });
    expect(document.positionOf(["😀", "a", 0])).toEqual({ line: 2, column: 15 });
    expect(document.positionOf(["😀", "a", 2])).toEqual({ line: 2, column: 23 });
    expect(document.keyPositionOf(["b"])).toEqual({ line: 3, column: 3 });
    expect(document.positionOf(["b"])).toEqual({ line: 3, column: 8 });
    expect(document.positionOf(["c"])).toBeUndefined();
    expect(document.positionOf(["😀", "a", 3])).toBeUndefined();
    expect(document.positionOf(["b", "c"])).toBeUndefined();
  });

  it("[C1] point at the text of the value, wherever it is", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary" })),
        fc.constantFrom("", " ", "\n", "\r\n"),
        (items, gap) => {
          const text = `[${items.map((item) => gap + JSON.stringify(item)).join(",")}]`;
          const lines = text.split("\n");
          for (const [index, item] of items.entries()) {
            const { line, column } = parse(text).positionOf([index])!;
            const rest = Array.from(lines[line - 1]!)
              .slice(column - 1)
              .join("");
            expect(rest.startsWith(JSON.stringify(item))).toBe(true);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it("[C1] tell integers from numbers that are only whole", () => {
    const document = parse('[1, -7, 0, 1.0, 1e3, 1E0, 1.5, "1", true, 9007199254740993]');
    const integers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((index) => document.isInteger([index]));
    expect(integers).toEqual([0, 1, 2, 9]);
    expect(document.isInteger([99])).toBe(false);
    expect(document.isInteger([])).toBe(false);
  });

  it.each([
    ['{"a":1,\n "b":2, "a":3}', "f.json:2:9 a: this key stands twice; keep one"],
    ['{"a":{"b":[{"c":1,"c":2}]}}', "f.json:1:19 a.b[0].c: this key stands twice; keep one"],
    ['{"a":1,"\\u0061":2}', "f.json:1:8 a: this key stands twice; keep one"],
    ['{"__proto__":{"x":1}}', "f.json:1:2 __proto__: this key is not allowed"],
    ['{"a":[{"__pro\\u0074o__":1}]}', "f.json:1:8 a[0].__proto__: this key is not allowed"],
  ])("[C1] refuse the key of %s", (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it.each([
    ["", "f.json:1:1: is empty; write at least {}"],
    [" \n", "f.json:1:1: is empty; write at least {}"],
    ["{", "f.json:1:2: is not valid JSON: the text ends too early"],
    ['{"a":1,}', "f.json:1:7: a trailing comma is not allowed in JSON; remove it"],
    ['{"a":[1 , \n]}', "f.json:1:9: a trailing comma is not allowed in JSON; remove it"],
    ['{"a":1 // c\n}', "f.json:1:8: comments are not allowed in JSON; remove this one"],
    ['/* c */{"a":1}', "f.json:1:1: comments are not allowed in JSON; remove this one"],
    ["# c\n{}", "f.json:1:1: comments are not allowed in JSON; remove this one"],
    ["{} // c", "f.json:1:4: comments are not allowed in JSON; remove this one"],
    ["{'a':1}", "f.json:1:2: is not valid JSON: expected a key in double quotes"],
    ['{"é":canary}', "f.json:1:6: is not valid JSON: expected a value"],
    ["{} {}", "f.json:1:4: is not valid JSON: something follows the value"],
    ["[NaN]", "f.json:1:2: is not valid JSON: expected a value"],
    ["[01]", "f.json:1:3: is not valid JSON"],
    ['["\n"]', "f.json:1:3: is not valid JSON: a string holds a raw control character"],
  ])("[C1] refuse %j with the place and the reason", (text, message) => {
    expect(() => parse(text)).toThrow(message);
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: "SYNTAX" }));
  });

  it("[C1] may be as deep as the limit and no deeper", () => {
    for (const depth of [63, 64]) expect(() => parse(nested(depth))).not.toThrow();
    expect(() => parse(nested(65))).toThrow("f.json:1:65: is nested deeper than 64 levels");
    expect(() => parse("[".repeat(1_000_000))).toThrow("is nested deeper than 64 levels");
    expect(() => parse(nested(3), { maxDepth: 2 })).toThrow("f.json:1:3: is nested deeper than 2");
  });

  it("[C1] may hold as many values as the limit and no more", () => {
    expect(() => parse("[1,2]", { maxValues: 3 })).not.toThrow();
    expect(() => parse("[1,2,3]", { maxValues: 3 })).toThrow(
      "f.json:1:6: holds more than 3 values",
    );
  });

  it("[C1] accept a byte order mark, and count no column for it", () => {
    const bytes = Buffer.from('\uFEFF{"a":1,"a":2}');
    expect(() => parseJsonDocument(bytes, { file: "f.json" })).toThrow("f.json:1:8 a:");
    expect(() => parse('\uFEFF{"a":1,"a":2}')).toThrow("f.json:1:8 a:");
  });

  it("[C1] are frozen through and through", () => {
    const value = parse('{"a":[{"b":1}]}').value as { a: [{ b: number }] };
    expect(() => Object.assign(value.a[0], { b: 2 })).toThrow(TypeError);
    expect(() => value.a.pop()).toThrow(TypeError);
  });
});
