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
  let isClean = true;
  automaton.scan(text, 0, () => {
    isClean = false;
  });
  if (isClean) return text;
  const stream = createStream(automaton);
  return stream.push(text) + stream.end();
}

function shortWarning({ name }: NamedSecret): string {
  const shown = printable(name, MAX_NAME);
  return `${shown} is shorter than ${MIN_SECRET_LENGTH} characters and is not scrubbed`;
}

function createPassage(): ScrubStream {
  return { push: (text) => text, end: () => "" };
}

/** Part of the stream that secrets cover; offsets from the stream's beginning. */
interface Region {
  readonly start: number;
  readonly end: number;
}

function createStream(automaton: Automaton): ScrubStream {
  let state = 0;
  /** Everything before `written` is out, as text or as a mark; `held` is what follows. */
  let written = 0;
  let held = "";
  let regions: Region[] = [];

  const cover = (start: number, end: number) => {
    let from = start;
    for (let last = regions.at(-1); last && from < last.end; last = regions.at(-1)) {
      from = Math.min(from, last.start);
      regions.pop();
    }
    regions.push({ start: from, end });
  };

  /** Writes all that later matches leave as it is: they begin at `until` at the earliest. */
  const release = (until: number) => {
    const base = written;
    let text = "";
    const settled = regions.filter(({ start }) => start <= until);
    for (const { start, end } of settled) {
      // One that begins inside of what is already redacted only lengthens it.
      if (start >= written) text += held.slice(written - base, start - base) + REDACTED;
      written = Math.max(written, end);
    }
    if (written < until) {
      text += held.slice(written - base, until - base);
      written = until;
    }
    held = held.slice(written - base);
    regions = regions.slice(settled.length);
    return text;
  };

  return {
    push(text) {
      const offset = written + held.length;
      held += text;
      state = automaton.scan(text, state, (start, end) => cover(offset + start, offset + end));
      return release(offset + text.length - automaton.depthOf(state));
    },
    end() {
      state = 0;
      return release(written + held.length);
    },
  };
}
