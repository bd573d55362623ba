import { scanJson } from "@core/bounds";
import type { Scrubber } from "@core/config";
import { type Edit, splice } from "@core/wire";

const BACKSLASH = 0x5c;

/** Takes secret values out of what goes to clients. */
export interface Scrub {
  /** A whole message, or a part of one that is JSON: its strings, and the keys of structured content. */
  message(bytes: Buffer): Buffer;
  text(text: string): string;
}

/** Makes a {@link Scrub}; without secrets it hands everything back as it is. */
export function createScrub(scrubber: Scrubber, hasSecrets: boolean): Scrub {
  if (!hasSecrets)
    return Object.freeze({ message: (bytes: Buffer) => bytes, text: (t: string) => t });
  return Object.freeze({
    message: (bytes: Buffer) =>
      isPlainlyClean(bytes, scrubber) ? bytes : splice(bytes, findEdits(bytes, scrubber)),
    text: scrubber.scrub,
  });
}

/** Without an escape the strings are their bytes, and one look at the whole is enough for the usual case. */
function isPlainlyClean(bytes: Buffer, scrubber: Scrubber): boolean {
  if (bytes.includes(BACKSLASH)) return false;
  const text = bytes.toString("utf8");
  return scrubber.scrub(text) === text;
}

/**
 * The strings of a message that hold a secret once decoded, with what is to stand there. Left alone are numbers, binary
 * content, and the words of the protocol: block types, and keys outside of structured content.
 */
function findEdits(bytes: Buffer, scrubber: Scrubber): Edit[] {
  const edits: Edit[] = [];
  const scrubAt = (start: number, end: number) => {
    const text = JSON.parse(bytes.toString("utf8", start, end)) as string;
    const scrubbed = scrubber.scrub(text);
    if (scrubbed !== text) edits.push({ start, end, text: JSON.stringify(scrubbed) });
  };
  /** The key at each level; `undefined` for an array. */
  const path: (string | undefined)[] = [];
  scanJson(bytes, {
    startObject: () => path.push(""),
    startArray: () => path.push(undefined),
    endObject: () => path.pop(),
    endArray: () => path.pop(),
    key({ key, start, end }) {
      path[path.length - 1] = key;
      if (isStructured(path.slice(0, -1))) scrubAt(start, end);
    },
    scalar({ kind, start, end }) {
      if (kind === "string" && !isProtocol(path)) scrubAt(start, end);
    },
  });
  return edits;
}

function isStructured(path: readonly (string | undefined)[]): boolean {
  return path[0] === "result" && path[1] === "structuredContent";
}

/** Whether a string at this path is binary content, or a word that readers decide by. */
function isProtocol(path: readonly (string | undefined)[]): boolean {
  const [top, list, , member, inner] = path;
  if (path.length === 1) return true;
  if (top !== "result") return false;
  if (list === "contents" && path.length === 4) return member === "blob";
  if (list !== "content") return false;
  if (path.length === 4) return member === "data" || member === "type";
  return path.length === 5 && member === "resource" && inner === "blob";
}
