import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { parseDocument } from "./document.ts";
import { ConfigError } from "./error.ts";
import { expandReferences, findReferences } from "./reference.ts";
import { checkStrict } from "./strict.ts";

/** FUZZ_RUNS=100000 for the long run. */
const numRuns = Number(process.env.FUZZ_RUNS ?? 2_000);
const LONG = 600_000;

const CANARY = "canary7";
const server = z.strictObject({
  command: z.string(),
  args: z.array(z.string()).optional(),
  attempts: z.int().min(1).max(3).optional(),
  rule: z
    .union([z.strictObject({ tool: z.string() }), z.strictObject({ prompt: z.string() })])
    .optional(),
});
const schema = z.strictObject({ servers: z.record(z.string(), server) });

const JSON_PARTS = [
  ...'{}[]:,"\\/# \n\r\t\0',
  '{"servers":{"s":{"command":"x"}}}',
  '"servers":',
  '"command":"canary7"',
  '"attempts":',
  '"rule":{"tol":1}',
  '"__proto__":{}',
  '"\\u005f_proto__":1',
  "1.0",
  "1e3",
  "-0",
  "1e999",
  "null",
  "true",
  '"😀"',
  '"\\ud800"',
  "\uFEFF",
  "\u2028",
  "//",
  "/*",
];
const YAML_PARTS = [
  ...JSON_PARTS,
  ..."-?:|>&*!%@`'",
  "servers:\n  s:\n    command: canary7\n",
  "    attempts: 1.0\n",
  "- ",
  "? ",
  "&a ",
  "*a",
  "<<: *a",
  "---\n",
  "...\n",
  "  ",
  "a: b\n",
  "!!str ",
  "%YAML 1.1\n",
  "|2-\n",
  ">+\n",
];

/** Parts in any order, then some characters changed: near to documents, and far from them. */
const textOf = (parts: readonly string[]) =>
  fc
    .tuple(
      fc.array(
        fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...parts) }, fc.string({ maxLength: 4 })),
        { maxLength: 14 },
      ),
      fc.nat(),
      fc.constantFrom("", ...parts),
    )
    .map(([pieces, at, splinter]) => {
      const text = pieces.join("");
      const cut = at % (text.length + 1);
      return text.slice(0, cut) + splinter + text.slice(cut);
    });

/** Reads and checks a text; anything but a value or a well-formed ConfigError fails the property. */
function attempt(text: string, format: "json" | "yaml"): unknown {
  try {
    const document = parseDocument(text, { file: "f", format, faults: "keep" });
    const result = checkStrict(schema, document);
    if (!result.ok) for (const problem of result.problems) requireWellFormed(problem);
    return document.value;
  } catch (error) {
    requireWellFormed(error);
    return undefined;
  }
}

function requireWellFormed(error: unknown): void {
  if (!(error instanceof ConfigError)) throw error;
  expect(error.message).toMatch(/^f(?::[1-9]\d*:[1-9]\d*)?(?: \S.*?)?: [a-z].*$/u);
  expect(error.reason).not.toContain(CANARY);
}

describe("any text", () => {
  it(
    "[P3] read as JSON gives a value just when JSON.parse does, or else one well-formed ConfigError",
    () => {
      fc.assert(
        fc.property(textOf(JSON_PARTS), (text) => {
          const value = attempt(text, "json");
          const expected = parseOrUndefined(text.replace(/^\uFEFF/, ""));
          if (expected === undefined) expect(value).toBeUndefined();
          else if (!hasRepeatedKey(text)) expect(value).toEqual(expected);
        }),
        { numRuns },
      );
    },
    LONG,
  );

  it(
    "[P3] read as YAML gives a plain value or one well-formed ConfigError",
    () => {
      fc.assert(
        fc.property(textOf(YAML_PARTS), (text) => {
          const value = attempt(text, "yaml");
          if (value !== undefined) expect(() => JSON.stringify(value)).not.toThrow();
        }),
        { numRuns },
      );
    },
    LONG,
  );

  it(
    "[P3] read for references expands as its grammar says, or is refused",
    () => {
      const parts = [
        "$",
        "{",
        "}",
        "${",
        "${A}",
        "${_b1}",
        "$env:",
        "$env:A",
        "$ENV:A",
        " ",
        "\t",
        "\n",
        "A",
        "1",
        ":-",
        "é",
        "\0",
      ];
      const environment = { A: "${A}", _b1: "$env:A", é: "x" };
      const mix = fc.array(
        fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...parts) }, fc.string({ maxLength: 3 })),
        { maxLength: 9 },
      );
      fc.assert(
        fc.property(
          mix.map((pieces) => pieces.join("")),
          (value) => {
            const expected = expandPlainly(value, environment);
            if (expected === undefined)
              expect(() => expandReferences(value, environment, "f")).toThrow(ConfigError);
            else expect(expandReferences(value, environment, "f")).toBe(expected);
          },
        ),
        { numRuns },
      );
    },
    LONG,
  );
});

/** A second reading of A7, by one pattern over the whole value; undefined where it is refused. */
function expandPlainly(
  value: string,
  environment: Readonly<Record<string, string>>,
): string | undefined {
  const shape =
    /^(?:(?!\$\{|\$env:)[\s\S]|\$\{[A-Za-z_]\w*\})*(?:(?<=^|[ \t])\$env:[A-Za-z_]\w*)?$/i;
  if (!shape.test(value) || value.match(/\$env:/gi)?.some((mark) => mark !== "$env:"))
    return undefined;
  const names = findReferences(value).map(({ name }) => name);
  if (names.some((name) => !Object.hasOwn(environment, name))) return undefined;
  return value.replace(
    /\$\{(\w+)\}|\$env:(\w+)$/g,
    (_, braced, word) => environment[braced ?? word] ?? "",
  );
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is one of the two outcomes that are compared.
    return undefined;
  }
}

/** JSON.parse keeps the last of repeated keys, and this package the first. */
function hasRepeatedKey(text: string): boolean {
  const { faults } = parseDocument(text, { file: "f", format: "json", faults: "keep" });
  return faults.some(({ code }) => code === "DUPLICATE_KEY");
}
