import type { Entry } from "./contained.ts";
import type { Listing } from "./listing.ts";
import type { Stamp } from "./stamp.ts";
import { createTexts, type Texts } from "./texts.ts";

/** What is remembered of one folder. All of it is a guess until its stamps are seen again. */
export interface KeptFolder {
  readonly texts: Texts;
  readonly listing: Listing | undefined;
  keepListing(stamp: Stamp, entries: readonly Entry[]): void;
  forgetListing(): void;
  /** To be called when something was added or forgotten: the folder is dropped where there is no room for it. */
  settle(): void;
  /** Forgets the folder, for a reader that was stopped in the middle. */
  drop(): void;
}

/** Texts and listings kept between searches, in memory alone and within a bound. */
export interface TextCache {
  /** Begins a search. What it asks for will not give way to anything else that it asks for. */
  startRound(): void;
  folder(path: string): KeptFolder;
  /** Bytes that it is taken to occupy. */
  readonly bytes: number;
}

interface Held {
  round: number;
  bytes: number;
  listing: Listing | undefined;
  readonly texts: Texts;
}

/** What a file or an entry occupies besides its text, about: a name, a stamp, their places in tables. */
const ROW_BYTES = 160;

/**
 * Makes a cache of at most `maxBytes`. When it is full, whole folders give way, the longest unused first; those that the
 * running search uses stay, and what it reads besides is not kept.
 */
export function createTextCache(maxBytes: number): TextCache {
  /** The longest unused first. */
  const folders = new Map<string, Held>();
  let round = 1;
  let used = 0;

  function use(path: string): Held {
    const held = folders.get(path) ?? {
      round: 0,
      bytes: 0,
      listing: undefined,
      texts: createTexts(),
    };
    if (held.round !== round) {
      held.round = round;
      folders.delete(path);
      folders.set(path, held);
    }
    return held;
  }

  function drop(path: string, held: Held): void {
    if (folders.get(path) !== held) return;
    folders.delete(path);
    used -= held.bytes;
  }

  function settle(path: string, held: Held): void {
    if (folders.get(path) !== held) return;
    const { texts, listing } = held;
    const bytes = texts.bytes + ROW_BYTES * (texts.length + (listing?.entries.length ?? 0));
    used += bytes - held.bytes;
    held.bytes = bytes;
    if (2 * texts.forgottenBytes > texts.bytes) drop(path, held);
    if (used <= maxBytes) return;
    for (const [other, older] of folders) {
      if (used <= maxBytes || older.round === round) break;
      drop(other, older);
    }
    if (used > maxBytes) drop(path, held);
  }

  return {
    startRound() {
      round++;
    },
    folder(path) {
      const held = use(path);
      return {
        texts: held.texts,
        get listing() {
          return held.listing;
        },
        keepListing(stamp, entries) {
          held.listing = { stamp, entries };
          settle(path, held);
        },
        forgetListing() {
          held.listing = undefined;
        },
        settle: () => settle(path, held),
        drop: () => drop(path, held),
      };
    },
    get bytes() {
      return used;
    },
  };
}
