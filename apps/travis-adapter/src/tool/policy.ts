import { cutText } from "@core/bounds";
import type { PolicyContext } from "../host.ts";
import { limits } from "../limits.ts";
import { parseRequest } from "../request/parse.ts";
import { labelOf, type OperationLabel } from "../request/request.ts";

/** Stands for every server that is not configured: what a model wrote never reaches a prompt. */
const UNCONFIGURED = "unconfigured";

/** Characters that would let a name break a prompt's line or turn its direction. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * What an approval prompt may show of a request (A3): the operation and the server, nothing else. The Python shim has
 * the same rules, and a test compares the two.
 */
export function policyContext(request: unknown, names: readonly string[]): PolicyContext {
  const server = serverOf(request);
  const isConfigured = server !== undefined && names.includes(server);
  return {
    operation: operationOf(request),
    server: isConfigured ? printable(server) : UNCONFIGURED,
  };
}

function operationOf(request: unknown): OperationLabel {
  try {
    return labelOf(parseRequest(request).operation);
  } catch {
    return "validation"; // whatever is wrong with it, the refusal comes when it is performed
  }
}

function serverOf(request: unknown): string | undefined {
  const { server } = (request ?? {}) as { server?: unknown };
  return typeof server === "string" ? server.trim() : undefined;
}

function printable(name: string): string {
  const cut = cutText(name.replace(UNPRINTABLE, "?"), { maxCodePoints: limits.maxQuoted });
  return cut.text;
}
