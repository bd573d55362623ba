import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";

const OPTIONS = { strict: false, allErrors: true, logger: false, validateFormats: false } as const;

/**
 * A JSON Schema as a function that tells whether a value fits, and leaves what does not in `errors`. Undefined for one
 * that does not compile: a remote `$ref`, a pattern of another engine. A schema that names no dialect is of 2020-12 (MCP
 * 2025-11-25). Each gets an instance of its own, because two tools may use the same `$id`.
 */
export function compileSchema(schema: unknown): ValidateFunction | undefined {
  const dialect = (schema as { $schema?: unknown } | null)?.$schema;
  const isOlder = typeof dialect === "string" && /draft-0[4-7]/.test(dialect);
  const ajv = isOlder ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  try {
    return ajv.compile(schema as object);
  } catch {
    return undefined; // the server is the one to judge
  }
}
