import type { RelayMessage } from "@core/wire";
import type { ClientSession } from "../upstream/client-session.ts";
import type { InFlight } from "./in-flight.ts";
import type { Reply } from "./reply.ts";

/** A request of a client, as the bytes that it came as, with the way back. */
export interface ClientRequest {
  readonly bytes: Buffer;
  readonly message: RelayMessage & { readonly kind: "request" };
  readonly session: ClientSession;
  readonly inFlight: InFlight;
  readonly reply: Reply;
  /** Notes that the client was told of this revision of the exposed tools. */
  told(revision: number): void;
}
