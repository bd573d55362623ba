import { membersOf, type RelayMessage, textAt } from "@core/wire";
import { UpstreamError } from "../errors.ts";

/** A message of one kind. */
export type Of<K extends RelayMessage["kind"]> = RelayMessage & { readonly kind: K };

/** A server's answer as the bytes that it came as, with the places of its members. */
export interface Answer {
  readonly bytes: Buffer;
  readonly message: Of<"response"> | Of<"error">;
  /** Whether a modern server asks for something by it, and expects the request again with what it asked for. */
  readonly asksForInput?: true;
}

/** For a server's answer that is none. */
export function badAnswer(server: string, reason: string): UpstreamError {
  const sentence = `Server ${server} sent an answer that is no JSON-RPC: ${reason}`;
  return new UpstreamError("BAD_ANSWER", sentence);
}

/** Why a strict client would drop an answer and wait for it in vain; undefined for one that it takes. */
export function findAnswerFault({ bytes, message }: Answer): string | undefined {
  const { result, error } = message.envelope;
  if (message.kind === "response")
    return result?.kind === "object" ? undefined : "its result is no object";
  const members = membersOf(bytes, error);
  const code = members.find(({ key }) => key === "code");
  if (code?.kind !== "number" || !Number.isSafeInteger(Number(textAt(bytes, code))))
    return "its error has no whole number for a code";
  const text = members.find(({ key }) => key === "message");
  return text?.kind === "string" ? undefined : "its error has no message";
}
