import { MAX_QUOTED_CHARACTERS } from "../limits.ts";
import type { Answer, Of } from "./answer.ts";

/** What an answer says as an error; of a result, no code and no text. */
export function errorIn({ bytes, message }: Answer) {
  return {
    code: message.kind === "error" ? errorCodeOf(bytes, message) : undefined,
    text: message.kind === "error" ? errorText(bytes, message) : "",
  };
}

/** The message of a JSON-RPC error, shortened. */
export function errorText(bytes: Buffer, message: Of<"error">): string {
  const { message: text } = errorOf(bytes, message);
  return typeof text === "string" ? text.slice(0, MAX_QUOTED_CHARACTERS) : "no reason given";
}

/** The code of a JSON-RPC error, if it is a number. */
export function errorCodeOf(bytes: Buffer, message: Of<"error">): number | undefined {
  const { code } = errorOf(bytes, message);
  return typeof code === "number" ? code : undefined;
}

function errorOf(bytes: Buffer, { envelope }: Of<"error">): { code?: unknown; message?: unknown } {
  const member = envelope.error;
  if (member?.kind !== "object") return {};
  return JSON.parse(bytes.toString("utf8", member.valueStart, member.valueEnd));
}
