import type * as core from "zod/v4/core";
import { choiceOf, expectationOf, fieldsOf } from "./expectation.ts";
import { nearName } from "./near-name.ts";

const MAX_LISTED_FIELDS = 16;

/** Begins the sentence of a union whose author gave none, so that a branch that nearly fits may say more. */
export const UNION_MARK = "\0";

/**
 * What an issue of a schema says to whoever wrote the file: what the value must be, and its kind where that is the
 * fault, never the value. An issue about unknown fields gives one line for each of its keys.
 */
export function sentenceOf(issue: core.$ZodRawIssue): string {
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownField(key, fieldsOf(issue.schema))).join("\n");
    case "invalid_type":
      return mustBe(issue.schema, issue.input);
    case "invalid_value":
      return `must be ${choiceOf(issue.values)}`;
    case "invalid_union":
      if (Array.isArray(issue.options)) return `must be ${choiceOf(issue.options)}`;
      return `${UNION_MARK}${mustBe(issue.schema, issue.input)}`;
    case "too_small":
      return isNumeric(issue.origin)
        ? mustBe(issue.schema, issue.input)
        : lengthSentence(issue, "at least", Number(issue.minimum));
    case "too_big":
      return isNumeric(issue.origin)
        ? mustBe(issue.schema, issue.input)
        : lengthSentence(issue, "at most", Number(issue.maximum));
    case "invalid_format":
      return FORMATS[issue.format] ?? "does not have the form that is needed here";
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    default:
      return "is not allowed here";
  }
}

/** The field that a sentence about an unknown one offers. */
export function suggestedField(sentence: string): string | undefined {
  const quoted = /^unknown field; did you mean (".*")\?$/.exec(sentence)?.[1];
  return quoted === undefined ? undefined : (JSON.parse(quoted) as string);
}

const FORMATS: Readonly<Record<string, string>> = {
  url: "must be a URL",
  email: "must be an e-mail address",
  ipv4: "must be an IPv4 address",
  ipv6: "must be an IPv6 address",
};

function mustBe(schema: core.$ZodType | undefined, input: unknown): string {
  const expected = schema === undefined ? "another kind of value" : expectationOf(schema);
  const kind = kindOf(input);
  return kind === undefined || isOfKind(expected, kind)
    ? `must be ${expected}`
    : `must be ${expected}, not ${kind}`;
}

function kindOf(value: unknown): string | undefined {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : KINDS[typeof value];
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "a boolean",
  object: "an object",
};

/** Whether the kind says nothing that the expectation does not: a number for an integer, say. */
function isOfKind(expected: string, kind: string): boolean {
  return expected.includes(kind) || (kind === "a number" && expected.includes("an integer"));
}

function isNumeric(origin: string): boolean {
  return origin === "number" || origin === "int";
}

function lengthSentence({ origin }: { origin: string }, bound: string, count: number): string {
  if (bound === "at least" && count === 1) return "must not be empty";
  const [one, several] = PARTS[origin] ?? ["entry", "entries"];
  return `must have ${bound} ${count} ${count === 1 ? one : several}`;
}

const PARTS: Readonly<Record<string, readonly [string, string]>> = {
  string: ["character", "characters"],
  array: ["item", "items"],
};

function unknownField(name: string, known: readonly string[]): string {
  const near = nearName(name, known);
  if (near !== undefined) return `unknown field; did you mean ${JSON.stringify(near)}?`;
  if (known.length === 0) return "unknown field; none is allowed here";
  const listed = known.slice(0, MAX_LISTED_FIELDS).join(", ");
  return `unknown field; allowed: ${listed}${known.length > MAX_LISTED_FIELDS ? ", …" : ""}`;
}
