import type { ParamHeader, RelayMessage } from "@core/wire";
import type { Refusal } from "../errors.ts";
import type { ClientSession } from "../upstream/client-session.ts";
import type { RequestClient } from "../upstream/request.ts";
import type { InFlight } from "./in-flight.ts";
import type { Reply } from "./reply.ts";

/** What only a request of the modern era has: it stands for itself, and repeats in headers what its body says. */
export interface StandAlone {
  /** What is wrong with the headers that repeat these arguments. */
  checkHeaders(mirrored: readonly ParamHeader[]): Refusal | undefined;
}

/** A request of a client, as the bytes that it came as, with the way back. */
export interface ClientRequest {
  readonly bytes: Buffer;
  readonly message: RelayMessage & { readonly kind: "request" };
  readonly session: ClientSession;
  readonly inFlight: InFlight;
  readonly reply: Reply;
  /** Undefined for a request of an older session. */
  readonly modern: StandAlone | undefined;
  /** How the client of a modern request is asked for something, and what it was asked for taken back. */
  readonly ask?: RequestClient["ask"];
  readonly unask?: RequestClient["unask"];
  /** Notes that the client was told of this revision of the exposed tools. */
  told(revision: number): void;
}
