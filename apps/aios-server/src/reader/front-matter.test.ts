import fc from "fast-check";
import { damaged, mutated } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { opensFrontMatter, parseFrontMatter, splitFrontMatter } from "./front-matter.ts";

describe("splitFrontMatter", () => {
  it.each([
    ["---\na: 1\n---\nbody\n", "a: 1", "body\n"],
    ["---\r\na: 1\r\n---\r\nbody\r\n", "a: 1\r", "body\r\n"],
    ["\ufeff---\na: 1\n---\nbody", "a: 1", "body"],
    ["---\n---\nbody", "", "body"],
    ["---  \na: 1\n--- \t\n---\n", "a: 1", "---\n"],
  ])("splits %j", (text, yaml, body) => {
    expect(splitFrontMatter(text)).toEqual({ yaml, body });
  });

  it.each([
    "",
    "body",
    "\n---\na: 1\n---\n",
    "---\na: 1\n",
    "----\na: 1\n----\n",
    "a\n---\nb\n---",
  ])("takes %j for body alone", (text) => {
    expect(splitFrontMatter(text)).toEqual({ yaml: undefined, body: text });
  });
});

describe("any front matter", () => {
  const fields = mutated({
    name: "x",
    aliases: ["a", "b"],
    project_id: null,
    when: "2026-01-01",
    n: 1.5,
  });
  const yaml = fields.map((value) =>
    typeof value === "object" && value !== null
      ? Object.entries(value)
          .map(([key, field]) => `${key}: ${JSON.stringify(field)}`)
          .join("\n")
      : String(value),
  );
  const note = fc
    .tuple(
      yaml,
      fc.constantFrom("---", "--- ", "---\r", "----", "...", ""),
      fc.string({ maxLength: 9 }),
    )
    .map(([matter, fence, body]) => `---\n${matter}\n${fence}\n${body}`);
  const text = fc.oneof(
    note,
    damaged(note).map((bytes) => bytes.toString()),
    fc.string({ unit: "binary", maxLength: 40 }),
  );

  it("[S1] [P3] is fields or nothing, and the text is whole in its two parts", () => {
    fc.assert(
      fc.property(text, (given) => {
        const { yaml: matter, body } = splitFrontMatter(given);
        expect(given.endsWith(body)).toBe(true);
        if (matter === undefined) {
          expect(body).toBe(given);
          return;
        }
        expect(opensFrontMatter(given)).toBe(true);
        expect(given).toContain(matter);
        const parsed = parseFrontMatter(matter, 1000);
        expect(Array.isArray(parsed)).toBe(false);
        expect(() => JSON.stringify(parsed)).not.toThrow();
      }),
    );
  });
});
