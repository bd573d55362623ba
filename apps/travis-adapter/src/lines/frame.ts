import { isObject, isRequestId, type JsonObject, type RequestId } from "@core/wire";
import type { FrameErrorCode } from "../errors.ts";

/** One line that a host sends (A4). */
export type Frame =
  | {
      readonly method: "execute";
      readonly id: RequestId;
      readonly request: unknown;
      /** The host's whole environment as it is now. */
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly method: "cancel"; readonly id: RequestId }
  | { readonly method: "shutdown"; readonly id: RequestId };

/** Why a line is refused; `id` is that of the line where it can be read. */
export interface BadFrame {
  readonly method: undefined;
  readonly id: RequestId | null;
  readonly code: FrameErrorCode;
  readonly reason: string;
}

/** Reads one line. Members that it does not know are passed over, so that a newer host can speak to it. */
export function readFrame(line: Buffer): Frame | BadFrame {
  const value = parse(line);
  if (!isObject(value)) return bad(null, "A line must be one JSON object");
  const { id, method, params = {} } = value;
  const known = isRequestId(id) ? id : null;
  if (!isObject(params)) return bad(known, "params must be an object");
  if (method === "cancel") return readCancel(params, known);
  if (known === null) return bad(known, "id must be a string or an integer");
  if (method === "shutdown") return { method, id: known };
  if (method === "execute") return readExecute(params, known);
  return bad(known, "method must be execute, cancel or shutdown");
}

function readCancel({ id }: JsonObject, own: RequestId | null): Frame | BadFrame {
  if (isRequestId(id)) return { method: "cancel", id };
  return bad(own, "cancel needs params.id, the id of the request to cancel");
}

function readExecute({ request, env }: JsonObject, id: RequestId): Frame | BadFrame {
  if (!isEnvironment(env))
    return bad(id, "execute needs params.env, the host's environment as an object of texts");
  return { method: "execute", id, request, env };
}

function isEnvironment(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((text) => typeof text === "string");
}

function bad(id: RequestId | null, reason: string): BadFrame {
  return { method: undefined, id, code: "FRAME_INVALID", reason };
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return undefined; // refused as any other value that is no object
  }
}
