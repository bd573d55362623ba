import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkedRows, parseRows, textOf } from "./rows.ts";

describe("parseRows", () => {
  it("[S1] reads one object a line and passes over everything else", () => {
    const text = '{"a":1}\r\n\n{"a":\n[1]\nnull\n7\n"x"\n{"a":2}\n{"a":3';
    expect(parseRows(text)).toEqual([{ a: 1 }, { a: 2 }]);
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

describe("parseMarkedRows", () => {
  const marks = ["2026-11-30", "2026-11-29", "\\"];
  const line = fc.oneof(
    fc.constantFrom(
      '{"ts":"2026-11-30T10:00:00Z"}',
      '{"ts":"2026-11-29"}\r',
      '{"ts":"2026-11-28","ts":"2026-11-29"}',
      '{"ts":"2026-11-3\\u0030"}',
      '{"summary":"\\ud800"}',
      '\uFEFF{"ts":"2026-11-30"}',
      '{"ts":"2026-11-30"',
      '["2026-11-30"]',
      "2026-11-30",
      '{"ts":"2026-11-28"}',
      "",
      "\r",
    ),
    fc.json(),
  );

  it("[S6] gives the records of marked lines, those that reading them all would give", () => {
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom("", "\n"), (lines, end) => {
        const marked = lines.filter((one) => marks.some((mark) => one.includes(mark)));
        expect(parseMarkedRows(lines.join("\n") + end, marks)).toEqual(
          parseRows(marked.join("\n")),
        );
      }),
    );
  });
});
