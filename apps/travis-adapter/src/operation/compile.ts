import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";

/** Where a value does not fit a schema: no place if it fits, undefined if the schema turns out to be none. */
export type Check = (value: unknown) => readonly ErrorObject[] | undefined;

const CAREFUL = { strict: false, allErrors: true, logger: false, validateFormats: false } as const;
/** Without the schema of schemas, whose own compilation takes a hundred times as long as that of a tool's schema. */
const QUICK = { ...CAREFUL, validateSchema: false, meta: false } as const;

/**
 * A JSON Schema as a check. Undefined for one that does not compile: a remote `$ref`, a pattern of another engine. A
 * schema that names no dialect is of 2020-12 (MCP 2025-11-25). What fits is known quickly; before a value is refused the
 * schema itself is looked at, because an odd one must not stand in the way of a call.
 */
export function createCheck(schema: unknown): Check | undefined {
  const quick = compile(schema, QUICK);
  if (quick === undefined) return undefined;
  let careful: { check: ValidateFunction | undefined } | undefined;
  return (value) => {
    if (quick(value)) return [];
    careful ??= { check: compile(schema, CAREFUL) };
    const { check } = careful;
    if (check === undefined) return undefined;
    return check(value) ? [] : (check.errors ?? []);
  };
}

/** Each gets an instance of its own, because two tools may use the same `$id`. */
function compile(schema: unknown, options: Options): ValidateFunction | undefined {
  const dialect = (schema as { $schema?: unknown } | null)?.$schema;
  const isOlder = typeof dialect === "string" && /draft-0[4-7]/.test(dialect);
  const ajv = isOlder ? new Ajv(options) : new Ajv2020(options);
  try {
    return ajv.compile(schema as object);
  } catch {
    return undefined; // the server is the one to judge
  }
}
