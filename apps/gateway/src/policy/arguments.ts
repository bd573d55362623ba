import { countBytes, JsonSyntaxError, scanJson } from "@core/bounds";
import type { AllowRule, ArgumentSchema } from "../config/config.ts";
import { MAX_PATTERN_CHARACTERS, MAX_PATTERN_VALUE_BYTES } from "../limits.ts";

/** Tells what is wrong with the arguments of a call, as JSON text, with the path; undefined for good ones. */
export type ArgumentCheck = (json: Buffer | undefined) => string | undefined;

/** A fault in the rules for arguments: of one argument, or of all. */
export class ArgumentRuleError extends Error {
  override readonly name = "ArgumentRuleError";
  readonly argument: string;

  constructor(argument: string, message: string) {
    super(message);
    this.argument = argument;
  }
}

interface ArgumentRule {
  readonly name: string;
  readonly optional: boolean;
  readonly hasPattern: boolean;
  /** The failing path inside the argument and why; undefined for a good value. */
  validate(value: unknown): { readonly path: string; readonly reason: string } | undefined;
}

/** Compiles `args` and `only` of a rule. Rejects with ArgumentRuleError. The validator is loaded here and not before. */
export async function compileArguments({
  args = {},
  only = false,
}: AllowRule): Promise<ArgumentCheck> {
  const { default: module } = await import("ajv/dist/2020.js");
  const ajv = new module.Ajv2020({ strict: false, validateFormats: false, logger: false });
  const rules = Object.entries(args).map(([name, schema]) => compileRule(ajv, name, schema));
  const known = new Set(Object.keys(args));
  return (json) => {
    const read = readArguments(json);
    if (typeof read === "string") return read;
    for (const rule of rules) {
      const problem = checkArgument(rule, read);
      if (problem !== undefined) return problem;
    }
    const extra = only ? Object.keys(read).find((name) => !known.has(name)) : undefined;
    return extra === undefined ? undefined : `arguments.${shown(extra)} is not allowed`;
  };
}

type Compiler = {
  compile(schema: object | boolean): {
    (value: unknown): boolean | Promise<unknown>;
    errors?: readonly { instancePath: string; message?: string }[] | null;
  };
};

function compileRule(ajv: Compiler, name: string, schema: ArgumentSchema): ArgumentRule {
  const { optional, ...keywords } = typeof schema === "boolean" ? {} : schema;
  if (optional !== undefined && typeof optional !== "boolean")
    throw new ArgumentRuleError(name, "optional must be true or false");
  const body = typeof schema === "boolean" ? schema : keywords;
  const hasPattern = inspect(name, body);
  try {
    const validate = ajv.compile(body);
    return {
      name,
      optional: optional === true,
      hasPattern,
      validate(value) {
        if (validate(value) === true) return undefined;
        const [first] = validate.errors ?? [];
        const path = first?.instancePath.replaceAll("/", ".") ?? "";
        return { path, reason: first?.message ?? "does not fit its schema" };
      },
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : "it cannot be compiled";
    throw new ArgumentRuleError(name, `is no JSON Schema that can be used: ${why}`);
  }
}

/** Refuses what must not be in a schema, and tells whether it has a pattern. */
function inspect(name: string, schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  let hasPattern = false;
  for (const [key, value] of Object.entries(schema)) {
    const isReference = key === "$ref" || key === "$dynamicRef";
    if (isReference && typeof value === "string" && !value.startsWith("#"))
      throw new ArgumentRuleError(name, `${key} must begin with #: nothing is fetched`);
    if (key === "pattern" && typeof value === "string") {
      requireShort(name, value);
      hasPattern = true;
    }
    if (key === "patternProperties" && typeof value === "object" && value !== null) {
      for (const pattern of Object.keys(value)) requireShort(name, pattern);
      hasPattern = true;
    }
    if (inspect(name, value)) hasPattern = true;
  }
  return hasPattern;
}

function requireShort(name: string, pattern: string): void {
  if (pattern.length > MAX_PATTERN_CHARACTERS)
    throw new ArgumentRuleError(name, `a pattern may have ${MAX_PATTERN_CHARACTERS} characters`);
}

/** The arguments, or what is wrong with them. Two readers must not see two values, so no key may stand twice. */
function readArguments(json: Buffer | undefined): Record<string, unknown> | string {
  if (json === undefined) return {};
  let twice: string | undefined;
  try {
    scanJson(json, {
      key({ key, duplicate }) {
        if (duplicate) twice ??= key;
      },
    });
  } catch (error) {
    if (error instanceof JsonSyntaxError) return "arguments are not JSON";
    throw error;
  }
  if (twice !== undefined) return `arguments: the key ${shown(twice)} stands twice`;
  const value: unknown = JSON.parse(json.toString("utf8"));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return "arguments must be an object";
  return value as Record<string, unknown>;
}

function checkArgument(rule: ArgumentRule, args: Record<string, unknown>): string | undefined {
  const { name, optional, hasPattern, validate } = rule;
  const at = `arguments.${shown(name)}`;
  if (!Object.hasOwn(args, name)) return optional ? undefined : `${at} is missing`;
  const value = args[name];
  if (hasPattern && hasLongText(value))
    return `${at} holds a text over ${MAX_PATTERN_VALUE_BYTES} bytes, too long for a pattern`;
  const problem = validate(value);
  return problem && `${at}${shown(problem.path)} ${problem.reason}`;
}

/** Keys count as well: `patternProperties` looks at them. */
function hasLongText(value: unknown): boolean {
  if (typeof value === "string") return countBytes(value) > MAX_PATTERN_VALUE_BYTES;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => hasLongText(key) || hasLongText(inner));
}

function shown(text: string): string {
  return text.slice(0, 100);
}
