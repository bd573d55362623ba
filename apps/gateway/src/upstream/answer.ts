import { membersOf, type RelayMessage, textAt } from "@core/wire";

/** A message of one kind. */
export type Of<K extends RelayMessage["kind"]> = RelayMessage & { readonly kind: K };

/** A server's answer as the bytes that it came as, with the places of its members. */
export interface Answer {
  readonly bytes: Buffer;
  readonly message: Of<"response"> | Of<"error">;
  /** Whether a modern server asks for something by it, and expects the request again with what it asked for. */
  readonly asksForInput?: true;
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
