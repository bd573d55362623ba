import { JsonSyntaxError, scanJson } from "@core/bounds";
import { isRequestId, type RequestId } from "./message.ts";
import type { Oversize } from "./oversize.ts";

/** What a message over its cap was, as far as its two ends tell. A call is a request or a notification. */
export interface OversizeIdentity {
  readonly kind: "answer" | "call" | "unknown";
  readonly id?: RequestId;
}

/**
 * The id as the last or last but one member of the message, which is where the SDKs put it. The bytes before the final
 * brace belong to the message's own level, and inside a string the quotes around `id` would be escaped.
 */
const LAST_ID =
  /,\s*"id"\s*:\s*(-?\d{1,16}|"(?:[^"\\]|\\.){0,256}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** Reads both ends of an oversize message, so that the one call that it belongs to can fail, and no other. */
export function identifyOversize({ head, tail }: Oversize): OversizeIdentity {
  const members = membersAtStart(head.toString("utf8"));
  const kind = members.has("method")
    ? "call"
    : members.has("result") || members.has("error")
      ? "answer"
      : "unknown";
  const id = members.has("id") ? members.get("id") : idAtEnd(tail.toString("utf8"));
  return isRequestId(id) ? { kind, id } : { kind };
}

function idAtEnd(text: string): unknown {
  const found = LAST_ID.exec(text)?.[1];
  return found === undefined ? undefined : parse(found);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Something like a number with a leading zero: no id.
    return undefined;
  }
}

/** The message's own members that begin in a cut text; those whose value is no whole scalar have none. */
function membersAtStart(text: string): Map<string, unknown> {
  const members = new Map<string, unknown>();
  let last = "";
  try {
    scanJson(text, {
      key({ key, depth }) {
        if (depth !== 1) return;
        last = key;
        members.set(key, undefined);
      },
      scalar({ start, end, depth }) {
        // A scalar at the cut may go on behind it.
        if (depth === 1 && end < text.length) members.set(last, parse(text.slice(start, end)));
      },
    });
  } catch (error) {
    // The text ends where it was cut, or is no JSON; what stood before it has been seen.
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  return members;
}
