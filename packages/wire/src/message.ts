/** An id as the peer wrote it: `1`, `"1"` and `1.5` are three ids. */
export type RequestId = string | number;

/** JSON-RPC 2.0 §5.1, and the codes that the MCP SDKs add below -32000. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const CONNECTION_CLOSED = -32000;
export const REQUEST_TIMEOUT = -32001;
export const RESOURCE_NOT_FOUND = -32002;

export type JsonObject = { readonly [key: string]: unknown };

export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type Classified = ClassifiedObject | { kind: "batch"; messages: readonly unknown[] };

export type ClassifiedObject =
  | { kind: "request"; id: RequestId; method: string; params?: JsonObject }
  | { kind: "notification"; method: string; params?: JsonObject }
  | { kind: "response"; id: RequestId; result: unknown }
  /** `id` is null where the sender could not read the request's id. */
  | { kind: "error"; id: RequestId | null; error: ErrorObject }
  /** `id` is there if one could be read, so that a pending call or a caller can be answered. */
  | { kind: "invalid"; reason: string; id?: RequestId };

/**
 * Tells what a parsed JSON value is in JSON-RPC. Strict with requests and notifications (MCP: `jsonrpc` is "2.0", the
 * id a string or a number and never null, params an object); liberal with answers, because a refused answer is a call
 * that hangs: unknown keys, a missing `jsonrpc`, `result` beside `error: null` and an odd error object pass.
 */
export function classify(value: unknown): Classified {
  if (Array.isArray(value)) return { kind: "batch", messages: value };
  if (!isObject(value)) return { kind: "invalid", reason: "a message must be a JSON object" };
  return classifyObject(value);
}

/** `classify` for what is known to be an object, so no batch. */
export function classifyObject(message: JsonObject): ClassifiedObject {
  return message.method === undefined ? classifyAnswer(message) : classifyCall(message);
}

function classifyCall(message: JsonObject): ClassifiedObject {
  const { id, method, params, result, error } = message;
  const refuse = (reason: string) => invalid(reason, id);
  if (message.jsonrpc !== "2.0") return refuse('jsonrpc must be "2.0"');
  if (typeof method !== "string") return refuse("method must be a string");
  if (params !== undefined && !isObject(params)) return refuse("params must be an object");
  if (result !== undefined || error !== undefined) {
    return refuse("a message holds either a method or a result, not both");
  }
  const call = params === undefined ? { method } : { method, params };
  if (id === undefined) return { kind: "notification", ...call };
  if (!isRequestId(id)) return refuse("id must be a string or a number");
  return { kind: "request", id, ...call };
}

function classifyAnswer(message: JsonObject): ClassifiedObject {
  const { id, result, error } = message;
  if (error !== undefined && error !== null) {
    if (id !== undefined && id !== null && !isRequestId(id))
      return invalid("id must be a string, a number or null", id);
    return { kind: "error", id: id ?? null, error: errorObject(error) };
  }
  if (result === undefined) return invalid("a message needs a method, a result or an error", id);
  if (!isRequestId(id)) return invalid("a result needs an id that is a string or a number", id);
  return { kind: "response", id, result };
}

function errorObject(error: unknown): ErrorObject {
  if (!isObject(error))
    return {
      code: INTERNAL_ERROR,
      message: typeof error === "string" ? error : "error without a message",
    };
  const { code, message, data } = error;
  const read = {
    code: typeof code === "number" ? code : INTERNAL_ERROR,
    message: typeof message === "string" ? message : "error without a message",
  };
  return data === undefined ? read : { ...read, data };
}

function invalid(reason: string, id: unknown): ClassifiedObject {
  return isRequestId(id) ? { kind: "invalid", reason, id } : { kind: "invalid", reason };
}

/** A string or a finite number: JSON's `1e999` reads as Infinity, which no answer could carry back. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
}

/** A map key that keeps `1` and `"1"` apart. */
export function idKey(id: RequestId): string {
  return typeof id === "number" ? `n${id}` : `s${id}`;
}

/** The JSON-RPC error answer to a request, ready to serialize. */
export function errorAnswer(id: RequestId | null, code: number, message: string, data?: unknown) {
  const error: ErrorObject = data === undefined ? { code, message } : { code, message, data };
  return { jsonrpc: "2.0" as const, id, error };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
