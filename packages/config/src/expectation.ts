import type * as core from "zod/v4/core";

type Schema = core.$ZodTypes;

const MAX_CHOICES = 12;

/** What a schema takes, in words that fit after "must be": `an integer from 1 to 3`, `one of "a", "b"`. */
export function expectationOf(schema: core.$ZodType): string {
  const { def } = (schema as Schema)._zod;
  switch (def.type) {
    case "string":
      return "a string";
    case "number":
      return numberExpectation(def);
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    case "array":
    case "tuple":
      return "an array";
    case "object":
    case "record":
      return "an object";
    case "literal":
      return choiceOf(def.values);
    case "enum":
      return choiceOf(Object.values(def.entries));
    case "union":
      return [...new Set(def.options.map(branchExpectation))].join(" or ");
    case "nullable":
      return `${expectationOf(def.innerType)} or null`;
    case "optional":
    case "default":
    case "prefault":
    case "nonoptional":
    case "readonly":
    case "catch":
      return expectationOf(def.innerType);
    case "pipe":
      return expectationOf(def.in);
    case "lazy":
      return expectationOf(def.getter());
    case "never":
      return "absent";
    default:
      return "another kind of value";
  }
}

/** `"lazy"`, or `one of "a", "b"`. The choices are the schema's own, so they may be shown. */
export function choiceOf(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_CHOICES).map((value) => JSON.stringify(value) ?? String(value));
  if (values.length > MAX_CHOICES) shown.push("…");
  return shown.length === 1 ? shown.join() : `one of ${shown.join(", ")}`;
}

/** The names of the fields that an object schema knows. */
export function fieldsOf(schema: core.$ZodType | undefined): readonly string[] {
  const def = (schema as Schema | undefined)?._zod.def;
  return def?.type === "object" ? Object.keys(def.shape) : [];
}

/** In a union objects have to be told apart: by the fields that they need. */
function branchExpectation(schema: core.$ZodType): string {
  const { def } = (schema as Schema)._zod;
  if (def.type !== "object") return expectationOf(schema);
  const needed = Object.entries(def.shape).filter(([, field]) => field._zod.optin !== "optional");
  return needed.length === 0
    ? "an object"
    : `an object with ${needed.map(([name]) => name).join(", ")}`;
}

function numberExpectation(def: core.$ZodNumberDef): string {
  const checks = [...(def.checks ?? [])].map((check) => (check as core.$ZodChecks)._zod.def);
  const isInteger = "format" in def || checks.some((check) => check.check === "number_format");
  const least = checks.find((check) => check.check === "greater_than");
  const most = checks.find((check) => check.check === "less_than");
  return `${isInteger ? "an integer" : "a number"}${rangeOf(least, most)}`;
}

interface Bound {
  readonly value: unknown;
  readonly inclusive: boolean;
}

function rangeOf(least: Bound | undefined, most: Bound | undefined): string {
  if (least?.inclusive && most?.inclusive) return ` from ${least.value} to ${most.value}`;
  const bounds = [];
  if (least) bounds.push(`${least.inclusive ? "at least" : "more than"} ${least.value}`);
  if (most) bounds.push(`${most.inclusive ? "at most" : "less than"} ${most.value}`);
  return bounds.length === 0 ? "" : ` of ${bounds.join(" and ")}`;
}
