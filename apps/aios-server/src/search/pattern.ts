import type { SearchText } from "../reader/block.ts";
import type { FindNext } from "../reader/texts.ts";
import { stemOf } from "./inflection.ts";
import { foldText } from "./word.ts";

/** How a text matches, the best first: the whole phrase, all words, some words, or only other forms of all words. */
export const MATCH_KINDS = ["phrase", "terms", "partial", "inflected"] as const;
export type MatchKind = (typeof MATCH_KINDS)[number];

/** That a text matches, and how well among texts that match in the same way. */
export interface TextMatch {
  readonly kind: MatchKind;
  readonly score: number;
  /** The terms that stand in the text literally, by their place in {@link Pattern.terms}. */
  readonly terms: readonly number[];
}

/** What a query looks for, made once and asked of every text (field §4.5). */
export interface Pattern {
  /** The query's words, folded, each once. */
  readonly terms: readonly string[];
  /** Whether a text may match at all: quick, and never wrongly no. */
  mayMatch(text: SearchText): boolean;
  /** The next place at which a text may match. */
  readonly next: FindNext;
  /** How a folded text matches. */
  match(folded: string): TextMatch | undefined;
  /** Whether a folded text holds a term, literally or in another form. */
  holds(term: number, folded: string): boolean;
  /** Where in a folded text the phrase stands, or else one of the terms; 0 where none does. */
  placeIn(folded: string): number;
  /** The terms that are whole words of a folded text, by their place in {@link terms}. */
  wordsIn(folded: string): readonly number[];
}

/** More occurrences than these make a match no better. */
const MOST_REPEATS = 5;
const PHRASE_SCORE = 10;
const TERMS_SCORE = 5;

/** Makes the pattern of a query. A text matches by substrings; word boundaries count for statistics and other forms. */
export function createPattern(query: string): Pattern {
  const phrase = foldText(query).trim().replace(/\s+/g, " ");
  if (phrase === "") return MATCHES_NOTHING;
  const terms = [...new Set(phrase.split(" "))];
  const stems = terms.map(stemOf);
  const forms = stems.every((stem) => stem !== undefined)
    ? stems.map((stem) => ({ stem, form: new RegExp(`(?<![\\p{L}\\p{N}])${stem}`, "u") }))
    : [];
  const needles = [...terms, ...forms.map(({ stem }) => stem)];
  const places = createPlaceFinder(needles);

  function match(folded: string): TextMatch | undefined {
    const repeats = countUpTo(folded, phrase, 1 + MOST_REPEATS);
    if (repeats > 0) return matched("phrase", PHRASE_SCORE + repeats - 1, all);
    const counts = terms.map((term) => countUpTo(folded, term, 1 + MOST_REPEATS));
    const found = all.filter((at) => counts[at]! > 0);
    if (found.length === terms.length && terms.length > 1) {
      // Lines are broken anywhere; that much more is only asked where all the words are there.
      if (isBroken(folded)) return matched("phrase", PHRASE_SCORE, all);
      const extra = counts.reduce((sum, count) => sum + count, 0) - terms.length;
      return matched("terms", TERMS_SCORE + Math.min(extra, MOST_REPEATS), all);
    }
    if (found.length > 0) return matched("partial", found.length, found);
    const isInflected =
      forms.length > 0 &&
      forms.every(({ stem, form }) => folded.includes(stem) && form.test(folded));
    return isInflected ? matched("inflected", terms.length, []) : undefined;
  }

  const all = [...terms.keys()];
  const isBroken = (folded: string) => folded.replace(/\s+/g, " ").includes(phrase);

  return {
    terms,
    match,
    mayMatch: (texts) => places(texts, 0) !== -1,
    next: places,
    holds: (term, folded) =>
      folded.includes(terms[term]!) || (forms[term]?.form.test(folded) ?? false),
    placeIn(folded) {
      const [first = 0] = [phrase, ...needles]
        .map((needle) => folded.indexOf(needle))
        .filter((at) => at !== -1);
      return first;
    },
    wordsIn: (folded) => all.filter((at) => hasWord(folded, terms[at]!)),
  };
}

/** For a query of accents alone, of which folding leaves nothing. */
const MATCHES_NOTHING: Pattern = Object.freeze({
  terms: [],
  mayMatch: () => false,
  next: () => -1,
  match: () => undefined,
  holds: () => false,
  placeIn: () => 0,
  wordsIn: () => [],
});

function matched(kind: MatchKind, score: number, terms: readonly number[]): TextMatch {
  return { kind, score, terms };
}

/** How often a text stands in another without overlap, counted no further than `most`. */
function countUpTo(text: string, part: string, most: number): number {
  let count = 0;
  for (
    let at = text.indexOf(part);
    at !== -1 && count < most;
    at = text.indexOf(part, at + part.length)
  )
    count++;
  return count;
}

/** One expression for all is faster than lower case and a search for each; what is not ASCII is not in ASCII. */
function createPlaceFinder(needles: readonly string[]): FindNext {
  const inFolded = expressionOf(needles, "g");
  const inAscii = expressionOf(
    needles.filter((needle) => /^[\0-\x7f]+$/.test(needle)),
    "gi",
  );
  return ({ text, folded }, from) => {
    const expression = folded === undefined ? inAscii : inFolded;
    expression.lastIndex = from;
    return expression.exec(folded ?? text)?.index ?? -1;
  };
}

function expressionOf(needles: readonly string[], flags: string): RegExp {
  if (needles.length === 0) return new RegExp("(?!)", flags);
  const alternatives = needles.map((needle) => needle.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(alternatives.join("|"), flags);
}

const PART_OF_WORD = /[\p{L}\p{N}_-]/u;

/** Whether a text holds a word with nothing of a longer word on either side. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (
      !PART_OF_WORD.test(characterBefore(text, at)) &&
      !PART_OF_WORD.test(characterAt(text, at + word.length))
    )
      return true;
  return false;
}

function characterAt(text: string, at: number): string {
  const point = text.codePointAt(at);
  return point === undefined ? "" : String.fromCodePoint(point);
}

function characterBefore(text: string, at: number): string {
  const isPair = (text.charCodeAt(at - 1) & 0xfc00) === 0xdc00;
  return characterAt(text, at - (isPair ? 2 : 1));
}
