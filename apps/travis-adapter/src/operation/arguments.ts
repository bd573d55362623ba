import type { ErrorObject } from "ajv";
import type { Tool } from "../catalog/tool.ts";
import { AdapterError, quote } from "../errors.ts";
import { limits } from "../limits.ts";
import type { JsonObject } from "../request/request.ts";
import type { Check } from "./compile.ts";

const checks = new WeakMap<Tool, Check | undefined>();

let loading: Promise<typeof import("./compile.ts")> | undefined;

/** Loads the validator, once. It takes a while, so it is begun beside what else a first call has to wait for. */
export function loadValidator(): Promise<typeof import("./compile.ts")> {
  if (loading === undefined) {
    loading = import("./compile.ts");
    loading.catch(() => {}); // its failure is for the first check to report
  }
  return loading;
}

/**
 * Compares arguments with the tool's input schema before anything is sent (A16). Throws an {@link AdapterError}
 * ARGUMENTS_INVALID that names the failing places and no value. False if the schema does not compile, so that nothing
 * was compared.
 */
export async function checkArguments(
  server: string,
  tool: Tool,
  args: JsonObject,
): Promise<boolean> {
  if (tool.inputSchema === undefined) return true;
  if (!checks.has(tool)) {
    const { createCheck } = await loadValidator();
    checks.set(tool, createCheck(tool.inputSchema));
  }
  const errors = checks.get(tool)?.(args);
  if (errors === undefined) return false;
  if (errors.length === 0) return true;
  const faults = errors.slice(0, limits.maxArgumentErrors).map(describe);
  throw new AdapterError(
    "ARGUMENTS_INVALID",
    `The arguments do not fit the input schema of ${quote(tool.name)}, so it was not called: ${faults.join("; ")}`,
    { example: JSON.stringify({ server, describe: tool.name }) },
  );
}

function describe({ instancePath, message = "does not fit", params }: ErrorObject): string {
  const where = instancePath === "" ? "the arguments" : instancePath;
  const extra = params.additionalProperty ?? params.unevaluatedProperty;
  const named = typeof extra === "string" ? ` (${quote(extra)})` : "";
  return `${where} ${message}${named}`;
}
