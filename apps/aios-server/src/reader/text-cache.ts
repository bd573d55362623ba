import type { Entry } from "./contained.ts";
import { isSame, type Stamp } from "./stamp.ts";

/** A file's text in the form in which it is searched, as it stood at `stamp`. */
export interface KeptText<T> {
  readonly stamp: Stamp;
  readonly text: T;
}

/** What is remembered of one folder. All of it is a guess until its stamp is seen again. */
export interface KeptFolder<T> {
  /** The entries that the folder had at this stamp. */
  listing(stamp: Stamp): readonly Entry[] | undefined;
  keepListing(stamp: Stamp, entries: readonly Entry[]): void;
  text(name: string): KeptText<T> | undefined;
  keepText(name: string, kept: KeptText<T>): void;
  dropText(name: string): void;
}

/** Texts and listings kept between searches, in memory alone and within a bound. */
export interface TextCache<T> {
  /** Begins a search. What it asks for will not give way to anything else that it asks for. */
  startRound(): void;
  folder(path: string): KeptFolder<T>;
  /** Bytes that it is taken to occupy. */
  readonly bytes: number;
}

interface Held<T> {
  round: number;
  bytes: number;
  listing: { readonly stamp: Stamp; readonly entries: readonly Entry[] } | undefined;
  readonly texts: Map<string, KeptText<T>>;
}

/** What a stamp, a name and their places in maps and lists come to, about. */
const OVERHEAD_BYTES = 512;

/**
 * Makes a cache of at most `maxBytes`, where `bytesOf` tells what a text occupies. When it is full, whole folders give
 * way, the longest unused first; what the running search itself uses stays, and the rest of it is not kept.
 */
export function createTextCache<T>(options: {
  maxBytes: number;
  bytesOf: (text: T) => number;
}): TextCache<T> {
  const { maxBytes, bytesOf } = options;
  /** The longest unused first. */
  const folders = new Map<string, Held<T>>();
  let round = 0;
  let used = 0;

  function use(path: string): Held<T> {
    const known = folders.get(path);
    const held = known ?? { round, bytes: 0, listing: undefined, texts: new Map() };
    if (known === undefined || known.round !== round) {
      held.round = round;
      folders.delete(path);
      folders.set(path, held);
    }
    return held;
  }

  function makeRoom(bytes: number): boolean {
    for (const [path, held] of folders) {
      if (used + bytes <= maxBytes || held.round === round) break;
      folders.delete(path);
      used -= held.bytes;
    }
    return used + bytes <= maxBytes;
  }

  function count(held: Held<T>, bytes: number): void {
    held.bytes += bytes;
    used += bytes;
  }

  function dropText(held: Held<T>, name: string): void {
    const old = held.texts.get(name);
    if (old === undefined) return;
    held.texts.delete(name);
    count(held, -costOf(old));
  }

  const costOf = ({ text }: KeptText<T>) => bytesOf(text) + OVERHEAD_BYTES;
  const costOfListing = (held: Held<T>) => (held.listing?.entries.length ?? 0) * OVERHEAD_BYTES;

  return {
    startRound() {
      round++;
    },
    folder(path) {
      const held = use(path);
      return {
        listing: (stamp) =>
          held.listing && isSame(held.listing.stamp, stamp) ? held.listing.entries : undefined,
        keepListing(stamp, entries) {
          count(held, -costOfListing(held));
          held.listing = undefined;
          if (!makeRoom(entries.length * OVERHEAD_BYTES)) return;
          held.listing = { stamp, entries };
          count(held, costOfListing(held));
        },
        text: (name) => held.texts.get(name),
        keepText(name, kept) {
          dropText(held, name);
          if (!makeRoom(costOf(kept))) return;
          held.texts.set(name, kept);
          count(held, costOf(kept));
        },
        dropText: (name) => dropText(held, name),
      };
    },
    get bytes() {
      return used;
    },
  };
}
