import { compareText } from "../context/order.ts";
import { MATCH_KINDS, type Pattern, type TextMatch } from "./pattern.ts";

/** A document that matches, before anybody knows how rare its words are. */
export interface Hit<T> {
  readonly match: TextMatch;
  /** What its title, path and the place of its matches are worth, in the measure of a word's rarity. */
  readonly boost: number;
  /** When it was written, in milliseconds since 1970; undefined where nobody knows. */
  readonly at: number | undefined;
  /** Decides between hits that nothing else tells apart, by UTF-16 units. */
  readonly tie: string;
  /** Makes the result; asked only of hits that are shown. */
  readonly make: () => T;
}

/** The documents of one scope, or of one kind in it, among which words are rare or common and hits are ranked. */
export interface Corpus<T> {
  /** Counts a document by its folded text. */
  count(folded: string): void;
  /** Counts documents that cannot hold any of the terms. */
  countOthers(documents: number): void;
  add(hit: Hit<T>): void;
  /** The hits, the best first. */
  ranked(): readonly Hit<T>[];
  /** The results of the best hits, at most `limit`. */
  best(limit: number): T[];
}

/** A better kind of match outweighs everything else. */
const TIER_RANK = 1_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** After so many days a hit is worth half. */
const HALF_LIFE_DAYS = 30;

/**
 * Makes an empty corpus that is searched at a moment (field §4.6). Of hits of one rank the newest come first where
 * `newestFirst` says so.
 */
export function createCorpus<T>(options: {
  pattern: Pattern;
  now: number;
  newestFirst?: boolean;
}): Corpus<T> {
  const { pattern, now, newestFirst = false } = options;
  const hits: Hit<T>[] = [];
  const holding = pattern.terms.map(() => 0);
  let documents = 0;

  function rarityOf(term: number): number {
    const count = holding[term]!;
    return Math.log(1 + (documents - count + 0.5) / (count + 0.5));
  }

  function rankOf({ match, boost, at }: Hit<T>, rarity: readonly number[]): number {
    const weight = match.terms.reduce((sum, term) => sum + rarity[term]!, boost);
    const tier = MATCH_KINDS.length - MATCH_KINDS.indexOf(match.kind);
    return tier * TIER_RANK + Math.min(weight * freshness(at, now), TIER_RANK - 1);
  }

  function ranked(): Hit<T>[] {
    const rarity = pattern.terms.map((_, term) => rarityOf(term));
    return hits
      .map((hit) => ({ hit, rank: rankOf(hit, rarity) }))
      .sort(
        (a, b) =>
          b.rank - a.rank ||
          (newestFirst ? (b.hit.at ?? 0) - (a.hit.at ?? 0) : 0) ||
          compareText(a.hit.tie, b.hit.tie),
      )
      .map(({ hit }) => hit);
  }

  return {
    count(folded) {
      documents++;
      for (const term of pattern.wordsIn(folded)) holding[term]!++;
    },
    countOthers(others) {
      documents += others;
    },
    add: (hit) => void hits.push(hit),
    ranked,
    best: (limit) =>
      ranked()
        .slice(0, limit)
        .map(({ make }) => make()),
  };
}

function freshness(at: number | undefined, now: number): number {
  if (at === undefined || !(at <= now)) return 1;
  return 2 ** (-Math.floor((now - at) / DAY_MS) / HALF_LIFE_DAYS);
}

/** Takes from several lists in turn, until all are empty or there are `limit`. */
export function interleave<T>(lists: readonly (readonly T[])[], limit = Infinity): T[] {
  const taken: T[] = [];
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let at = 0; at < longest; at++)
    for (const list of lists)
      if (at < list.length && taken.length < limit) taken.push(list[at] as T);
  return taken;
}
