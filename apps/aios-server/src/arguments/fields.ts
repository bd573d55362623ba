import { countCodePoints } from "@core/bounds";
import { AiosError, type ErrorCode } from "../errors.ts";

/** A tool's arguments as JSON gave them. */
export type RawArguments = { readonly [name: string]: unknown };

/**
 * One argument of a tool: its advertised JSON Schema and the check of a given value, made from the same numbers, so
 * that runtime validation equals the advertised shape (S14). Nothing is coerced.
 */
export interface Field<T> {
  readonly schema: { readonly [keyword: string]: unknown };
  /** The rules in the order in which they are asked; a value breaks at most the first that does not hold. */
  readonly rules: readonly Rule[];
  /** What stands for an absent argument; of a required one it is never used. */
  readonly absent: T;
  readonly isRequired?: true;
}

interface Rule {
  readonly code: ErrorCode;
  readonly holds: (value: unknown) => boolean;
  /** What the value must be, as the end of a sentence. */
  readonly says: string;
}

/** Types of all arguments are asked before any range, and ranges before any syntax (S3). */
const STAGES: readonly ErrorCode[] = ["ARGUMENT_TYPE", "ARGUMENT_RANGE", "SELECTOR_MALFORMED"];

/** An integer within a range, `absent` unless given. */
export function integerField(
  description: string,
  range: { minimum: number; maximum: number; absent: number },
): Field<number> {
  const { minimum, maximum, absent } = range;
  return {
    schema: { type: "integer", description, minimum, maximum, default: absent },
    absent,
    rules: [
      { code: "ARGUMENT_TYPE", holds: Number.isInteger, says: "an integer" },
      {
        code: "ARGUMENT_RANGE",
        holds: (value) => Number(value) >= minimum && Number(value) <= maximum,
        says: `from ${minimum} to ${maximum}`,
      },
    ],
  };
}

/** One of a few words. `stated` is the default to advertise; whoever reads the argument decides what absence means. */
export function choiceField<Word extends string>(
  description: string,
  words: readonly Word[],
  stated: Word,
): Field<Word | undefined> {
  return {
    schema: { type: "string", description, enum: words, default: stated },
    absent: undefined,
    rules: [
      TEXT_RULE,
      {
        code: "ARGUMENT_RANGE",
        holds: (value) => (words as readonly unknown[]).includes(value),
        says: `one of ${words.join(", ")}`,
      },
    ],
  };
}

/** A project selector: text of 1 to `maximum` code points that matches `pattern`, which `says` puts in words. */
export function selectorField(
  description: string,
  { maximum, pattern, says }: { maximum: number; pattern: string; says: string },
): Field<string | undefined> {
  const expression = new RegExp(pattern, "u");
  return {
    schema: { type: "string", description, minLength: 1, maxLength: maximum, pattern },
    absent: undefined,
    rules: [
      TEXT_RULE,
      {
        code: "ARGUMENT_RANGE",
        holds: (value) => value !== "" && countCodePoints(String(value)) <= maximum,
        says: `1 to ${maximum} characters long`,
      },
      { code: "SELECTOR_MALFORMED", holds: (value) => expression.test(String(value)), says },
    ],
  };
}

/** A text that must be given: 1 to `maximum` code points, not all of them blank. */
export function requiredTextField(
  description: string,
  { maximum }: { maximum: number },
): Field<string> {
  const pattern = String.raw`\S`;
  const holds = (value: unknown) =>
    countCodePoints(String(value)) <= maximum && new RegExp(pattern, "u").test(String(value));
  return {
    schema: { type: "string", description, minLength: 1, maxLength: maximum, pattern },
    isRequired: true,
    absent: "",
    rules: [
      { ...TEXT_RULE, says: "given as a string" },
      { code: "ARGUMENT_RANGE", holds, says: `1 to ${maximum} characters long and not blank` },
    ],
  };
}

const TEXT_RULE: Rule = {
  code: "ARGUMENT_TYPE",
  holds: (value) => typeof value === "string",
  says: "a string",
};

type Values<Fields> = { [Name in keyof Fields]: Fields[Name] extends Field<infer T> ? T : never };
type Fields = { readonly [name: string]: Field<unknown> };

/** The JSON Schema of a tool's arguments. */
export function schemaOf(fields: Fields) {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, { schema }]) => [name, schema]),
  );
  const required = Object.keys(fields).filter((name) => fields[name]!.isRequired);
  return {
    type: "object" as const,
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/**
 * Checks arguments against a tool's fields and fills in what is absent. Throws the first broken rule as `AiosError`:
 * unknown keys first, then by stage, then in the order of the fields.
 */
export function readArguments<const F extends Fields>(fields: F, given: RawArguments): Values<F> {
  const names = Object.keys(fields);
  if (Object.keys(given).some((key) => !names.includes(key)))
    throw new AiosError("ARGUMENT_UNKNOWN", { rule: names.join(", ") });

  const asked = Object.entries(fields).filter(
    ([name, { isRequired }]) => isRequired || Object.hasOwn(given, name),
  );
  for (const stage of STAGES)
    for (const [name, { rules }] of asked)
      for (const { code, holds, says } of rules)
        if (code === stage && !holds(given[name]))
          throw new AiosError(code, { field: name, rule: says });

  const entries = Object.entries(fields).map(([name, { absent }]) => [
    name,
    Object.hasOwn(given, name) ? given[name] : absent,
  ]);
  return Object.fromEntries(entries) as Values<F>;
}
