import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { parseDocument } from "./document.ts";

const parse = (text: string, limits = {}) =>
  parseDocument(text, { file: "f.yaml", format: "yaml", limits });

describe("YAML documents", () => {
  it("[C1] give back any plain value that was written as YAML", () => {
    const key = fc.string({ maxLength: 12 }).filter((name) => name !== "__proto__");
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: "small" },
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("node"), { maxLength: 4 }),
        fc.dictionary(key, tie("node"), { maxKeys: 4 }),
      ),
    })).node;
    fc.assert(
      fc.property(value, (plain) => {
        const text = stringify(plain, { aliasDuplicateObjects: false });
        expect(parse(text).value).toEqual(JSON.parse(JSON.stringify(plain)));
      }),
    );
  });

  it("[C1] read the plain words of YAML 1.2: yes and no are strings, nothing is a date", () => {
    expect(parse("a: yes\nb: no\nc: 2026-07-28\nd: true\ne: ~\nf:\ng: 010\nh: .inf").value).toEqual(
      {
        a: "yes",
        b: "no",
        c: "2026-07-28",
        d: true,
        e: null,
        f: null,
        g: 10,
        h: Number.POSITIVE_INFINITY,
      },
    );
  });

  it.each(["", "\n", "# only a comment\n", "---\n", "...", "\uFEFF"])(
    "[C1] are null if %j is all",
    (text) => {
      expect(parse(text).value).toBeNull();
    },
  );

  it("[C1] know where each key and value stands, in code points", () => {
    const document = parse("😀: {é: 1}\nlist:\n  - a\n  - b: |\n      text\nempty:\n");
    expect(document.keyPositionOf(["😀"])).toEqual({ line: 1, column: 1 });
    expect(document.positionOf(["😀"])).toEqual({ line: 1, column: 4 });
    expect(document.positionOf(["😀", "é"])).toEqual({ line: 1, column: 8 });
    expect(document.positionOf(["list", 0])).toEqual({ line: 3, column: 5 });
    expect(document.keyPositionOf(["list", 1, "b"])).toEqual({ line: 4, column: 5 });
    expect(document.keyPositionOf(["empty"])).toEqual({ line: 6, column: 1 });
    expect(document.positionOf(["empty"])?.line).toBe(6);
  });

  it("[C1] tell integers in plain digits from all other numbers", () => {
    const document = parse("[1, -7, +7, 0, 1.0, 1e3, 010, 0x10, 0o7, '1', 1.5, .5]");
    const integers = [...Array(12).keys()].filter((index) => document.isInteger([index]));
    expect(integers).toEqual([0, 1, 2, 3]);
  });

  it.each([
    ["a: 1\nb: 2\na: 3", "f.yaml:3:1 a: this key stands twice; keep one"],
    ["a:\n  - b: {c: 1, c: 2}", "f.yaml:2:15 a[0].b.c: this key stands twice; keep one"],
    ['a: 1\n"a": 2', "f.yaml:2:1 a: this key stands twice; keep one"],
    ["a: {__proto__: 1}", "f.yaml:1:5 a.__proto__: this key is not allowed"],
  ])("[C1] refuse the key of %j", (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it.each([
    ["a: !custom b", "f.yaml:1:4: tags are not allowed; remove this one"],
    ["a: !!str 1", "f.yaml:1:4: tags are not allowed; remove this one"],
    ["! a", "f.yaml:1:1: tags are not allowed; remove this one"],
    ["%YAML 1.1\n---\na: yes", "f.yaml:1:1: directives are not allowed; remove this one"],
    ["%TAG ! x\n---\na", "f.yaml:1:1: directives are not allowed; remove this one"],
    ["a: 1\n---\nb: 2", "f.yaml:2:1: holds more than one document; keep one"],
    ["---\n---\n", "holds more than one document; keep one"],
    ["<<: {a: 1}", "f.yaml:1:1: merge keys are not supported; write the fields out"],
    ["8080: a", "f.yaml:1:1: a key must be a string; put it in quotes"],
    ["a: {true: b}", "f.yaml:1:5: a key must be a string; put it in quotes"],
    ["null: b", "f.yaml:1:1: a key must be a string; put it in quotes"],
    [": b", "f.yaml:1:1: a key must be a string; put it in quotes"],
    ["? [a]\n: b", "f.yaml:1:3: a key must be a string; put it in quotes"],
    ["a: *b", "f.yaml:1:4: an alias has no anchor before it"],
    ["a: *b\nc: &b 1", "f.yaml:1:4: an alias has no anchor before it"],
    ["a: &b [*b]", "f.yaml:1:8: an alias must not point at what it stands in"],
    ["a: &b {c: {d: *b}}", "f.yaml:1:15: an alias must not point at what it stands in"],
    ["\ta: b", "f.yaml:1:1: tabs cannot indent; use spaces"],
    ["a: @canary", "f.yaml:1:4: a plain value cannot start with this character; put it in quotes"],
    ["a: [canary", "f.yaml:1:11: "],
    ["a: 'canary", "f.yaml:1:11: a colon, comma, bracket, quote or blank is missing"],
    ['a: "can\\qary"', "f.yaml:1:8: an escape in a quoted string is not valid"],
    ['a: "\\xZZ"', "f.yaml:1:5: an escape in a quoted string is not valid"],
    ["a: canary: b", "f.yaml:1:4: a nested mapping or list cannot start on the line of its key"],
    ["a: b\n c: canary", "f.yaml:"],
    ["[a]]", "f.yaml:1:4: something stands where it does not belong"],
    ["...\n...\n...", "f.yaml:3:1: holds more than one document; keep one"],
    ["a: &x &y 1", "f.yaml:1:7: a value can have one anchor only"],
  ])("[C1] refuse %j with the place, and show none of it", (text, message) => {
    expect(() => parse(text)).toThrow(message);
    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        code: "SYNTAX",
        message: expect.not.stringMatching(/canary|custom/),
      }),
    );
  });

  it("[C1] take quoted text for what it is, even if it looks like more", () => {
    const text = `a: "!tag"\nb: '*alias'\n"<<": 1\n'8080': "%YAML"\nc: "\\u00e9\\x41\\\\ \\/\\\n  d"`;
    expect(parse(text).value).toEqual({
      a: "!tag",
      b: "*alias",
      "<<": 1,
      "8080": "%YAML",
      c: "éA\\ /d",
    });
  });

  it("[C1] resolve aliases, each to the last anchor before it", () => {
    expect(parse("a: &x [1]\nb: *x\nc: &x 2\nd: [*x, *x]").value).toEqual({
      a: [1],
      b: [1],
      c: 2,
      d: [2, 2],
    });
  });

  it("[C1] refuse alias bombs: by number, by size and by depth once written out", () => {
    const aliases = (count: number) => `a: &x 1\nb: [${Array(count).fill("*x").join(", ")}]`;
    expect(() => parse(aliases(100))).not.toThrow();
    expect(() => parse(aliases(101))).toThrow(
      "f.yaml:2:405: holds more than 100 anchors or aliases",
    );

    const laughs = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let i = 1; i < 10; i++)
      laughs.push(
        `a${i}: &a${i} [${Array(9)
          .fill(`*a${i - 1}`)
          .join(", ")}]`,
      );
    expect(() => parse(laughs.join("\n"))).toThrow(
      "holds more than 100000 values, aliases written out",
    );

    const half = (inner: string) => "[".repeat(33) + inner + "]".repeat(33);
    expect(() => parse(`- &a ${half("1")}`)).not.toThrow();
    expect(() => parse(`- &a ${half("1")}\n- ${half("*a")}`)).toThrow(
      "f.yaml:2:36: is nested deeper than 64 levels",
    );
  });

  it("[C1] may be as deep as the limit and no deeper, in brackets, lists and mappings", () => {
    const brackets = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    const lists = (depth: number) => `${"- ".repeat(depth)}a`;
    const lines = (depth: number) =>
      Array.from({ length: depth }, (_, level) => `${" ".repeat(level)}a:`).join("\n");
    for (const text of [brackets, lists, lines]) {
      expect(() => parse(text(63))).not.toThrow();
      expect(() => parse(text(64))).not.toThrow();
      expect(() => parse(text(65))).toThrow("is nested deeper than 64 levels");
      expect(() => parse(text(600))).toThrow("is nested deeper than 64 levels");
    }
    for (const opener of ["[", "{a: ", "- ", "? ", "{? "])
      expect(() => parse(opener.repeat(200_000))).toThrow("is nested deeper than 64 levels");
  });

  it("[C1] may hold as many values as the limit and no more, before anything costly begins", () => {
    expect(() => parse("[1, 2]", { maxValues: 3 })).not.toThrow();
    expect(() => parse("[1, 2, 3]", { maxValues: 3 })).toThrow("holds more than 3 values");
    for (const line of ["a: 1\n", "- a\n", "? a\n", "- [a, {b: c}]\n", '- "a"\n'])
      expect(() => parse(line.repeat(60_000), { maxValues: 1_000 })).toThrow(
        "holds more than 1000 values",
      );
  });

  it("[C1] accept a byte order mark and CRLF, and count no column for them", () => {
    const bytes = Buffer.from("\uFEFFa: 1\r\na: 2\r\n");
    const options = { file: "f.yaml", format: "yaml" } as const;
    expect(() => parseDocument(bytes, options)).toThrow("f.yaml:2:1 a:");
    expect(parse("\uFEFFa: 1\r\nb: |\r\n  x\r\n").value).toEqual({ a: 1, b: "x\n" });
  });
});
