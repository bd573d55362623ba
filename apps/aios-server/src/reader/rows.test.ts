import { describe, expect, it } from "vitest";
import { parseRows, textOf } from "./rows.ts";

describe("parseRows", () => {
  it("[S1] reads one object a line and passes over everything else", () => {
    const text = '{"a":1}\r\n\n{"a":\n[1]\nnull\n7\n"x"\n{"a":2}\n{"a":3';
    expect(parseRows(text)).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it("reads only the lines that are wanted", () => {
    const asked: string[] = [];
    const isWanted = (line: string) => asked.push(line) === 2;
    expect(parseRows('{"a":1}\n\n{"a":2}\n{"a":3}', isWanted)).toEqual([{ a: 2 }]);
    expect(asked).toEqual(['{"a":1}', '{"a":2}', '{"a":3}']);
  });

  it("survives nesting of any depth", () => {
    expect(parseRows(`{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`)).toHaveLength(1);
  });
});

describe("textOf", () => {
  it("is a field's text, where it is text and says something", () => {
    const row = { text: " a ", blank: " ", number: 7, nothing: null };
    expect(Object.keys(row).map((field) => textOf(row, field))).toEqual([
      " a ",
      undefined,
      undefined,
      undefined,
    ]);
    expect(textOf(row, "absent")).toBeUndefined();
  });
});
