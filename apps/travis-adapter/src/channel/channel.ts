import { errorAnswer, type JsonObject, type ParamHeader, type RequestId } from "@core/wire";
import { AdapterError } from "../errors.ts";
import { limits } from "../limits.ts";

/** An open way to one server, for the messages of both eras. */
export interface Channel {
  /** Begins to deliver what the server sends. Called once, before the first message is sent. */
  listen(listener: Listener): void;
  /**
   * Hands one message over. Rejects where its answer cannot come. `mirrored` are the arguments that modern HTTP repeats in
   * headers.
   */
  send(message: JsonObject, mirrored: readonly ParamHeader[]): Promise<void>;
  /** From now on messages are sent in the form of this revision. */
  speak(version: string): void;
  /** How often messages that are no answers may have been lost so far, because the way that they come on was broken. */
  lapses(): number;
  /** Nobody waits for that answer any more. True if the server learns of it by that alone, and needs no message. */
  abandon(id: number): boolean;
  /** Why the other side ended it. Call it only after it did. */
  endReport(): Promise<EndReport>;
  /** Ends it, verified: no process is left behind, and no session where the server takes part. */
  close(): Promise<void>;
}

export interface Listener {
  onMessage(message: unknown): void;
  /** The other side has ended the channel; not told of our own {@link Channel.close} over HTTP. */
  onEnd(): void;
}

export interface EndReport {
  /** A verb phrase after "the server": "exited with status 3". */
  readonly how: string;
  /** The redacted end of what it wrote on stderr; may be empty. */
  readonly stderr: string;
  /** Whether it was a process of ours that ended. */
  readonly isProcess: boolean;
}

/** The code of an answer that stands in for one that will never come; its `data` is an {@link AdapterError}. */
const LOCAL_FAILURE = -31_002;

/** The message by which a channel itself answers a request that failed on the way. */
export function localAnswer(id: RequestId, failure: AdapterError): JsonObject {
  return errorAnswer(id, LOCAL_FAILURE, failure.message, failure);
}

/** UTF-8 bytes that the answer to a request of that method may have (A31). */
export function maxAnswerBytes(method: string): number {
  return /^(resources|prompts)\//.test(method) ? limits.maxResponseBytes : limits.maxMessageBytes;
}

export function answerTooLong(maximum: number): AdapterError {
  return new AdapterError(
    "LIMIT_EXCEEDED",
    `The server's answer is longer than ${maximum} bytes, the most that it may have`,
  );
}
