import { countCodePoints } from "@core/bounds";
import { type Automaton, createAutomaton } from "./automaton.ts";
import { printable } from "./printable.ts";
import { writtenForms } from "./written-form.ts";

/** What stands in the place of a secret. */
export const REDACTED = "[redacted]";

/** A secret shorter than this many code points would redact half of every text, so it is only warned about. */
export const MIN_SECRET_LENGTH = 6;

const MAX_NAME = 128;

export interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

/** Replaces secrets in texts. Best effort against accidents: only what is written in one of the known forms is found. */
export interface Scrubber {
  scrub(text: string): string;
  /** For a text that comes in parts: however it is cut, the outcome is that of the whole. Holds back less than a secret. */
  stream(): ScrubStream;
  /** One sentence for each secret that is too short to be scrubbed. Names, never values. */
  readonly warnings: readonly string[];
}

export interface ScrubStream {
  push(text: string): string;
  /** What was held back; after it the stream begins anew. */
  end(): string;
}

/**
 * A scrubber for exact values (C4): as they are, as JSON escapes them, and as URLs and forms encode them. Where secrets
 * lie inside each other or overlap, all they cover becomes one mark, so that no rest of the shorter one stays. Linear
 * in the text, however many secrets there are.
 */
export function createScrubber(secrets: readonly NamedSecret[]): Scrubber {
  const isShort = ({ value }: NamedSecret) => countCodePoints(value) < MIN_SECRET_LENGTH;
  const patterns = new Set(
    secrets.filter((secret) => !isShort(secret)).flatMap(({ value }) => writtenForms(value)),
  );
  const automaton = patterns.size === 0 ? undefined : createAutomaton([...patterns]);
  return Object.freeze({
    scrub: (text: string) => (automaton === undefined ? text : scrubWhole(text, automaton)),
    stream: () => (automaton === undefined ? createPassage() : createStream(automaton)),
    warnings: Object.freeze(secrets.filter(isShort).map(shortWarning)),
  });
}

function scrubWhole(text: string, automaton: Automaton): string {
  const regions: Region[] = [];
  automaton.scan(text, 0, (start, end) => cover(regions, start, end));
  return regions.length === 0 ? text : redact(text, { start: 0, end: text.length }, regions).text;
}

function shortWarning({ name }: NamedSecret): string {
  const shown = printable(name, MAX_NAME);
  return `${shown} is shorter than ${MIN_SECRET_LENGTH} characters and is not scrubbed`;
}

function createPassage(): ScrubStream {
  return { push: (text) => text, end: () => "" };
}

/** A span of a text; offsets in UTF-16 units from the beginning of the text or of the stream. */
interface Region {
  readonly start: number;
  readonly end: number;
}

/** Adds a match that ends no earlier than those before it, as one region with all that it overlaps. */
function cover(regions: Region[], start: number, end: number): void {
  let from = start;
  for (let last = regions.at(-1); last && from < last.end; last = regions.at(-1)) {
    from = Math.min(from, last.start);
    regions.pop();
  }
  regions.push({ start: from, end });
}

/** A part of the text with a mark for each region that begins in it, and where that leaves off: a region may end later. */
function redact(part: string, { start, end }: Region, regions: readonly Region[]) {
  let written = start;
  let text = "";
  for (const region of regions) {
    // One that begins inside of what is already redacted only lengthens it.
    if (region.start >= written)
      text += part.slice(written - start, region.start - start) + REDACTED;
    written = Math.max(written, region.end);
  }
  if (written < end) text += part.slice(written - start, end - start);
  return { text, written: Math.max(written, end) };
}

function createStream(automaton: Automaton): ScrubStream {
  let state = 0;
  /** Everything before `written` is out, as text or as a mark; `held` is what follows. */
  let written = 0;
  let held = "";
  let regions: Region[] = [];

  /** Writes all that later matches leave as it is: they begin at `until` at the earliest. */
  const release = (until: number) => {
    const settled = regions.filter(({ start }) => start <= until);
    const released = redact(held, { start: written, end: until }, settled);
    held = held.slice(released.written - written);
    written = released.written;
    regions = regions.slice(settled.length);
    return released.text;
  };

  return {
    push(text) {
      const offset = written + held.length;
      held += text;
      state = automaton.scan(text, state, (start, end) =>
        cover(regions, offset + start, offset + end),
      );
      return release(offset + text.length - automaton.depthOf(state));
    },
    end() {
      state = 0;
      return release(written + held.length);
    },
  };
}
