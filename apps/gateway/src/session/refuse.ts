import type { ServerResponse } from "node:http";
import type { Refusal } from "../errors.ts";
import { SINGLE_WRITE_BYTES } from "../limits.ts";
import { errorMessage, type IdText } from "../response/message.ts";
import { cutWhenUnread } from "./unread.ts";

/** Turns a request away with its status, and with a JSON-RPC error that names the request's id where it is known. */
export function refuse(response: ServerResponse, refusal: Refusal, id: IdText = "null"): void {
  for (const [name, value] of Object.entries(refusal.headers ?? {}))
    response.setHeader(name, value);
  sendJson(response, refusal.status, errorMessage(id, refusal.code, refusal.message, refusal.data));
}

/** Sends one JSON text as the whole response. */
export function sendJson(response: ServerResponse, status: number, json: Buffer): void {
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": json.length,
  });
  // Node writes head and body at once if both are text, which for a short body costs half of two writes.
  if (json.length <= SINGLE_WRITE_BYTES) response.end(json.toString("latin1"), "latin1");
  else response.end(json);
  if (response.writableLength > 0) cutWhenUnread(response);
}
