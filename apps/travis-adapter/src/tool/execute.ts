import { AdapterError } from "../errors.ts";
import type { ToolResult } from "../host.ts";
import { perform, type Rooms } from "../operation/perform.ts";
import { parseRequest } from "../request/parse.ts";
import type { Request } from "../request/request.ts";
import { type Bounds, boundResult } from "../result/bound.ts";
import type { Draft } from "../result/draft.ts";
import { draftOutcome } from "../result/draft-outcome.ts";
import { draftFailure } from "../result/failure.ts";

/** The corridor of one request: parse, perform, bound. Whatever goes wrong on the way is a result too. */
export async function executeRequest(
  raw: unknown,
  rooms: Rooms,
  bounds: Bounds,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  return boundResult(await answer(raw, rooms, signal), bounds);
}

async function answer(raw: unknown, rooms: Rooms, signal: AbortSignal | undefined): Promise<Draft> {
  let request: Request | undefined;
  try {
    request = parseRequest(raw, rooms.registry.names[0]);
    return draftOutcome(await perform(request, rooms, signal));
  } catch (error) {
    const isReason = signal?.aborted && !(error instanceof AdapterError);
    return draftFailure(isReason ? cancelled(error) : error, request);
  }
}

function cancelled(cause: unknown): AdapterError {
  return new AdapterError("CANCELLED", "The request was cancelled", { cause });
}
