import type { RelayMessage } from "@core/wire";

/** A message of one kind. */
export type Of<K extends RelayMessage["kind"]> = RelayMessage & { readonly kind: K };

/** A server's answer as the bytes that it came as, with the places of its members. */
export interface Answer {
  readonly bytes: Buffer;
  readonly message: Of<"response"> | Of<"error">;
  /** Whether a modern server asks for something by it, and expects the request again with what it asked for. */
  readonly asksForInput?: true;
}
