import { scanJson } from "@core/bounds";
import type { Scrubber } from "@core/config";
import { type Edit, splice } from "@core/wire";

const BACKSLASH = 0x5c;

/** Takes secret values out of what goes to clients. */
export interface Scrub {
  /** A whole message: its strings, and the keys of structured content and of other data of a server's own form. */
  message(bytes: Buffer): Buffer;
  /** An entry of a list, such as a tool's definition. */
  entry(bytes: Buffer): Buffer;
  text(text: string): string;
}

/** Makes a {@link Scrub}; without secrets it hands everything back as it is. */
export function createScrub(scrubber: Scrubber, hasSecrets: boolean): Scrub {
  const same = (bytes: Buffer) => bytes;
  if (!hasSecrets) return Object.freeze({ message: same, entry: same, text: (t: string) => t });
  const scrubbing = (isProtocol: IsProtocol) => (bytes: Buffer) =>
    isPlainlyClean(bytes, scrubber) ? bytes : splice(bytes, findEdits(bytes, scrubber, isProtocol));
  return Object.freeze({
    message: scrubbing(isMessageWord),
    entry: scrubbing(isEntryWord),
    text: scrubber.scrub,
  });
}

/** The key at each level down to a string; `undefined` for an array. */
type Path = readonly (string | undefined)[];
/** Whether a string is binary content, or a word that readers decide by. */
type IsProtocol = (path: Path) => boolean;

/** Without an escape the strings are their bytes, and one look at the whole is enough for the usual case. */
function isPlainlyClean(bytes: Buffer, scrubber: Scrubber): boolean {
  if (bytes.includes(BACKSLASH)) return false;
  const text = bytes.toString("utf8");
  return scrubber.scrub(text) === text;
}

/**
 * The strings that hold a secret once decoded, with what is to stand there. Left alone are numbers, binary content, the
 * words of the protocol, and keys outside of what servers fill freely.
 */
function findEdits(bytes: Buffer, scrubber: Scrubber, isProtocol: IsProtocol): Edit[] {
  const edits: Edit[] = [];
  const scrubAt = (start: number, end: number) => {
    const text = JSON.parse(bytes.toString("utf8", start, end)) as string;
    const scrubbed = scrubber.scrub(text);
    if (scrubbed !== text) edits.push({ start, end, text: JSON.stringify(scrubbed) });
  };
  const path: (string | undefined)[] = [];
  scanJson(bytes, {
    startObject: () => path.push(""),
    startArray: () => path.push(undefined),
    endObject: () => path.pop(),
    endArray: () => path.pop(),
    key({ key, start, end }) {
      path[path.length - 1] = key;
      if (isFree(path.slice(0, -1))) scrubAt(start, end);
    },
    scalar({ kind, start, end }) {
      if (kind === "string" && !isProtocol(path)) scrubAt(start, end);
    },
  });
  return edits;
}

/** Whether a server fills this object with keys of its own. */
function isFree(path: Path): boolean {
  if (path.includes("_meta")) return true;
  const [top, inner] = path;
  return (
    (top === "result" && inner === "structuredContent") || (top !== "result" && inner === "data")
  );
}

function isMessageWord(path: Path): boolean {
  const [top, list] = path;
  if (path.length === 1) return true;
  if (top !== "result") return false;
  if (list === "contents") return path.length === 4 && path[3] === "blob";
  if (list === "content") return isBlockWord(path.slice(3));
  return list === "messages" && path[3] === "content" && isBlockWord(path.slice(4));
}

/** At a path inside a content block. */
function isBlockWord([member, inner, ...deeper]: Path): boolean {
  if (inner === undefined) return member === "data" || member === "type";
  return member === "resource" && inner === "blob" && deeper.length === 0;
}

/** What names an entry is what it is called by, and a secret in it would be in the configuration. */
function isEntryWord(path: Path): boolean {
  if (path.at(-1) === "type") return true;
  return (
    path.length === 1 && (path[0] === "name" || path[0] === "uri" || path[0] === "uriTemplate")
  );
}
