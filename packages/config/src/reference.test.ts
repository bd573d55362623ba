import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigError } from "./error.ts";
import { expandReferences, findReferences } from "./reference.ts";

const environment = {
  TOKEN: "t0k3n",
  _x9: "under",
  BLANK: " ",
  EMPTY: "",
  NESTED: "${TOKEN} $env:TOKEN",
  UNSET: undefined,
};
const expand = (value: string) => expandReferences(value, environment, "headers.X");

describe("expandReferences", () => {
  it.each([
    ["${TOKEN}", "t0k3n"],
    ["a${TOKEN}b${_x9}c", "at0k3nbunderc"],
    ["${TOKEN}${TOKEN}", "t0k3nt0k3n"],
    ["$env:TOKEN", "t0k3n"],
    ["Bearer $env:TOKEN", "Bearer t0k3n"],
    ["Bearer\t$env:TOKEN", "Bearer\tt0k3n"],
    ["${_x9} $env:TOKEN", "under t0k3n"],
    ["${BLANK}", " "],
    ["", ""],
    ["plain $5 $TOKEN $ {TOKEN} env:TOKEN $env $$", "plain $5 $TOKEN $ {TOKEN} env:TOKEN $env $$"],
  ])("[A7] turns %j into %j", (value, expanded) => {
    expect(expand(value)).toBe(expanded);
  });

  it.each([
    "${}",
    "${X:-y}",
    "${1A}",
    "${X",
    "${X Y}",
    "${ X }",
    "${É}",
    "${env:TOKEN}",
    "a${",
    "$${",
    "${TOKEN}${",
  ])("[A7] refuses %j, which starts like a braced reference and is none", (value) => {
    expect(() => expand(value)).toThrow(
      /^headers\.X: has text that starts like a reference and is not one: write \$\{NAME\}/,
    );
  });

  it.each([
    "$env:1A",
    "x$env:Y",
    "$env:",
    "$$env:X",
    "$env:X ",
    "$env:X tail",
    "$env:X-Y",
    "$env:A $env:B",
    "a\n$env:B",
    "$env:X\n",
    "$ENV:TOKEN",
    "$Env:TOKEN",
    "${TOKEN}$env:TOKEN",
  ])("[A7] refuses %j, which starts like a word reference and is none", (value) => {
    expect(() => expand(value)).toThrow(
      /^headers\.X: has text that starts like a reference and is not one: \$env:NAME/,
    );
  });

  it.each([
    ["${MISSING}", "MISSING", "not set"],
    ["$env:UNSET", "UNSET", "not set"],
    ["Bearer ${EMPTY}", "EMPTY", "empty"],
    ["${toString}", "toString", "not set"],
    ["${__proto__}", "__proto__", "not set"],
  ])("[A7] names field and variable if %j has no value", (value, variable, state) => {
    expect(() => expand(value)).toThrow(
      `headers.X: refers to the environment variable ${variable}, which is ${state};`,
    );
  });

  it("[A7] gives its errors the place of the field where the caller knows it", () => {
    const place = { file: "mcp.json", line: 4, column: 9, field: "env.A" };
    const attempt = (value: string) => () => expandReferences(value, {}, place);
    expect(attempt("${A}")).toThrow(/^mcp\.json:4:9 env\.A: refers to/);
    expect(attempt("${")).toThrow(/^mcp\.json:4:9 env\.A: has text/);
    expect(attempt("${")).toThrow(ConfigError);
  });

  it("[A7] goes over the value once and never reads again what a variable holds", () => {
    expect(expand("${NESTED}!")).toBe("${TOKEN} $env:TOKEN!");
  });

  it("[A7] never shows a value of the field or of the environment in an error", () => {
    const attempt = () => expandReferences("sk-canary ${EMPTY} ${TOKEN}", environment, "f");
    expect(attempt).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/canary|t0k3n/) }),
    );
  });

  it("[P3] expands any mix of text and references as a plain concatenation", () => {
    const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/);
    const text = fc.string().filter((part) => !part.includes("$"));
    const parts = fc.array(
      fc.oneof(
        text.map((value) => ({ text: value })),
        name.map((value) => ({ name: value })),
      ),
    );
    fc.assert(
      fc.property(parts, fc.string({ minLength: 1 }), (mix, held) => {
        const names = mix.flatMap((part) => ("name" in part ? [part.name] : []));
        const variables = Object.fromEntries(names.map((each) => [each, held]));
        const value = mix.map((part) => ("name" in part ? `\${${part.name}}` : part.text)).join("");
        const expected = mix.map((part) => ("name" in part ? held : part.text)).join("");
        expect(expandReferences(value, variables, "f")).toBe(expected);
        expect(findReferences(value).map((reference) => reference.name)).toEqual(names);
      }),
    );
  });
});

describe("findReferences", () => {
  it("[C3] gives name, form and the exact span of each", () => {
    const value = "a ${ONE} b $env:TWO";
    const references = findReferences(value);
    expect(references.map(({ name, form }) => [name, form])).toEqual([
      ["ONE", "braced"],
      ["TWO", "word"],
    ]);
    expect(references.map(({ start, end }) => value.slice(start, end))).toEqual([
      "${ONE}",
      "$env:TWO",
    ]);
    expect(findReferences("none")).toEqual([]);
  });

  it("[A7] throws BAD_REFERENCE for malformed text", () => {
    expect(() => findReferences("${")).toThrow(expect.objectContaining({ code: "BAD_REFERENCE" }));
  });
});
