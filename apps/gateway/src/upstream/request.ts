import type { Answer, Of } from "./answer.ts";
import type { ClientSession } from "./client-session.ts";
import type { Declared } from "./envelope.ts";

/** A request on its way to a server. */
export interface OutgoingRequest {
  /** The whole message under the id that the connection gives it. */
  build(id: number): Buffer;
  /** Milliseconds without an answer or progress. */
  readonly timeoutMs: number;
  onProgress?(bytes: Buffer, message: Of<"notification">): void;
  /** What a modern server is to hear of the client with the request. */
  declare?(): Declared;
  /** Whose request it is, and how that client gets what belongs to the request; undefined for the gateway's own. */
  readonly client?: RequestClient;
}

export interface RequestClient {
  readonly session: ClientSession;
  /** The level that a modern request asks log messages from; an older client sets one for its session. */
  readonly logLevel?: { readonly asked: string | undefined };
  /** Sends what belongs to the request; false if its client cannot be told before the answer. */
  tell(json: Buffer): boolean;
  /** Asks the client of a modern request by its answer; false if it has not declared the capability. */
  ask?: ((question: FromServer<"request">, capability: string) => boolean) | undefined;
  /** Takes back what a server asked under this id. */
  unask?: ((idText: string) => void) | undefined;
}

/** What a server asks of a client, or tells it. */
export interface FromServer<K extends "request" | "notification"> {
  readonly bytes: Buffer;
  readonly message: Of<K>;
  /** The clients whose requests wait for this server. */
  readonly waiting: readonly RequestClient[];
  /** Sends the server a whole message. */
  answer(json: Buffer): void;
  /**
   * The call of this client waits for the client itself now, and has all the time that a call may take; until what is
   * returned is run, when the server works on it again.
   */
  pause(client: RequestClient): () => void;
}

export interface PendingRequest {
  /** Rejects with UpstreamError. */
  readonly answer: Promise<Answer>;
  /** Tells the server, and rejects the answer with CANCELLED. */
  cancel(): void;
}
