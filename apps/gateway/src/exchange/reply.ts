import type { Refusal } from "../errors.ts";

/** The way back to the client of one request. Everything after the first answer, or after the client left, is dropped. */
export interface Reply {
  /** Sends a notification that belongs to the request, before its answer; false if its client takes none. */
  notify(json: Buffer): boolean;
  /** Answers with a whole JSON-RPC message. */
  finish(json: Buffer): void;
  /** Answers with a JSON-RPC error. */
  fail(code: number, message: string, data?: object): void;
  /** Turns the request away, with the refusal's status if nothing was sent yet. */
  refuse(refusal: Refusal): void;
  /** Ends without an answer, as a cancelled request does. */
  end(): void;
}
