import { countBytes, cutText, LimitError } from "@core/bounds";
import { AdapterError, quote } from "../errors.ts";
import { limits } from "../limits.ts";
import { labelOf, type Request, type ServerRequest } from "../request/request.ts";
import { type Draft, textBlock } from "./draft.ts";

/**
 * Any error as a tool error that teaches (A34): server, operation, code, sentence, the server's own words apart, and an
 * example where one helps. `request` is undefined where it could not be read.
 */
export function draftFailure(thrown: unknown, request: Request | undefined): Draft {
  const error = asAdapterError(thrown);
  const details = { errorType: error.code };
  const isValidation = request === undefined || error.code === "SERVER_UNKNOWN";
  if (isValidation || request.operation === "status") {
    const blocks = [textBlock(compose(`Invalid MCP request: ${error.message}.`, error))];
    return { label: "validation", isError: true, blocks, details };
  }
  const blocks = [textBlock(compose(sentenceOn(error, request), error))];
  const label = labelOf(request.operation);
  return { label, server: request.server, isError: true, blocks, details };
}

function sentenceOn(error: AdapterError, { server, operation }: ServerRequest): string {
  if (error.code === "CONFIG_INVALID") return `MCP adapter configuration error: ${error.message}.`;
  const what = `MCP server ${quote(server)} ${labelOf(operation)} failed`;
  return `${what} (${error.code}): ${error.message.replace(/\.$/, "")}.`;
}

/** Everything that is to be said in 2 KiB; the server's words give way first. */
function compose(sentence: string, { serverSaid = "", example }: AdapterError): string {
  const closing = example === undefined ? "" : `\nExample: ${example}`;
  const said = serverSaid.trim() === "" ? "" : `\nThe server said: ${serverSaid.trim()}`;
  const room = limits.maxErrorBytes - countBytes(closing);
  return cutText(sentence + said, { maxBytes: room }).text + closing;
}

function asAdapterError(thrown: unknown): AdapterError {
  if (thrown instanceof AdapterError) return thrown;
  if (thrown instanceof LimitError)
    return new AdapterError("LIMIT_EXCEEDED", `The limit ${thrown.limit} was crossed`);
  return new AdapterError("INTERNAL", "The adapter failed; this is a fault in it", {
    cause: thrown,
  });
}
