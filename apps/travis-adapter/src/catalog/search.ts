import { relatedTerms } from "./lexicon.ts";
import { oneSlipFrom } from "./slip.ts";
import { argumentNames, type Tool } from "./tool.ts";
import { normalized, termsOf } from "./words.ts";

export interface ToolSearch {
  /** The tools that match, best first, all of them; the same query on the same catalog always gives the same order. */
  find(query: string): ToolMatches;
}

export interface ToolMatches {
  readonly tools: readonly Tool[];
  /** Nothing matches well: the best tool covers too little of what the query says. */
  readonly weak: boolean;
}

/** How much a term counts by where it stands. */
const FIELD_WEIGHTS = { name: 3, title: 2, description: 1, argument: 0.6 } as const;
/** BM25's saturation and length normalization; short texts of one catalog differ less than BM25's documents. */
const SATURATION = 1.2;
const LENGTH_NORM = 0.5;
/** A query term that no tool uses counts as one that starts like it, or else as one that it may be a slip of, at this price. */
const NEAR_WEIGHT = 0.5;
const MIN_PREFIX = 4;
/** A tool that says it in another word counts, at this price. */
const RELATED_WEIGHT = 0.4;
/** The least part of the query's weight that a good match covers. */
const GOOD_COVERAGE = 0.4;

interface Posting {
  readonly tool: number;
  /** Weighted occurrences. */
  readonly weight: number;
}

/** Indexes a catalog once, so that a search touches only the tools that hold one of its terms. */
export function createToolSearch(tools: readonly Tool[]): ToolSearch {
  const names = tools.map(({ name }) => normalized(name));
  const postings = new Map<string, Posting[]>();
  const lengths = tools.map((tool, index) => indexTool(tool, index, postings));
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / (lengths.length || 1);
  const saturations = lengths.map(
    (length) => SATURATION * (1 - LENGTH_NORM + LENGTH_NORM * (length / meanLength)),
  );
  const vocabulary = [...postings.keys()].sort();

  /** The catalog's terms that stand for one of the query's, each with what it is worth. */
  function expand(term: string): { term: string; weight: number }[] {
    const itself = postings.has(term)
      ? [{ term, weight: 1 }]
      : nearTerms(vocabulary, term).map((near) => ({ term: near, weight: NEAR_WEIGHT }));
    for (const other of relatedTerms(term))
      if (postings.has(other)) itself.push({ term: other, weight: RELATED_WEIGHT });
    return itself;
  }

  function rarity(term: string): number {
    const holders = postings.get(term)?.length ?? 0;
    return Math.log(1 + (tools.length - holders + 0.5) / (holders + 0.5));
  }

  /** What one term of the query is worth to each tool that holds it or what stands for it: the most of these. */
  function scoresOf(asked: string): ReadonlyMap<number, number> {
    const best = new Map<number, number>();
    for (const { term, weight } of expand(asked)) {
      const most = weight * rarity(term) * (SATURATION + 1);
      for (const posting of postings.get(term) ?? []) {
        const saturation = saturations[posting.tool] as number;
        const score = (most * posting.weight) / (posting.weight + saturation);
        if (score > (best.get(posting.tool) ?? 0)) best.set(posting.tool, score);
      }
    }
    return best;
  }

  /** The sum of each tool, how much of the query's weight it covers, and that whole weight. */
  function scoreAll(query: string) {
    const scores = new Float64Array(tools.length);
    const covered = new Float64Array(tools.length);
    let whole = 0;
    for (const asked of new Set(termsOf(query))) {
      const weight = rarity(asked);
      whole += weight;
      for (const [tool, score] of scoresOf(asked)) {
        scores[tool] = (scores[tool] as number) + score;
        covered[tool] = (covered[tool] as number) + weight;
      }
    }
    return { scores, covered, whole };
  }

  function find(query: string): ToolMatches {
    const wanted = normalized(query);
    const { scores, covered, whole } = scoreAll(query);
    const ranked: Ranked[] = [];
    for (let index = 0; index < tools.length; index++) {
      const kind = nameMatch(names[index] as string, wanted);
      const score = scores[index] as number;
      if (kind !== 2 || score > 0) ranked.push({ index, kind, score });
    }
    ranked.sort((a, b) => a.kind - b.kind || b.score - a.score || a.index - b.index);
    const [first] = ranked;
    const isGood =
      first !== undefined &&
      (first.kind !== 2 || (covered[first.index] as number) >= whole * GOOD_COVERAGE);
    return { tools: ranked.map(({ index }) => tools[index] as Tool), weak: !isGood };
  }

  return { find };
}

interface Ranked {
  readonly index: number;
  readonly kind: 0 | 1 | 2;
  readonly score: number;
}

/** 0 for the very name, 1 for the start of the name, 2 for neither. */
function nameMatch(name: string, wanted: string): 0 | 1 | 2 {
  if (wanted === "") return 2;
  if (name === wanted) return 0;
  return name.startsWith(wanted) ? 1 : 2;
}

/** Adds a tool's terms and returns its weighted length. */
function indexTool(tool: Tool, index: number, postings: Map<string, Posting[]>): number {
  const weights = new Map<string, number>();
  const add = (text: string | undefined, weight: number) => {
    for (const term of termsOf(text ?? "")) weights.set(term, (weights.get(term) ?? 0) + weight);
  };
  add(tool.name, FIELD_WEIGHTS.name);
  add(tool.title, FIELD_WEIGHTS.title);
  add(tool.description, FIELD_WEIGHTS.description);
  for (const name of argumentNames(tool)) add(name, FIELD_WEIGHTS.argument);
  let length = 0;
  for (const [term, weight] of weights) {
    length += weight;
    const holders = postings.get(term);
    if (holders === undefined) postings.set(term, [{ tool: index, weight }]);
    else holders.push({ tool: index, weight });
  }
  return length;
}

/** What stands for a term that the vocabulary lacks. */
function nearTerms(vocabulary: readonly string[], term: string): string[] {
  const starting = startingLike(vocabulary, term);
  return starting.length > 0 ? starting : oneSlipFrom(term, vocabulary);
}

/** The words of a sorted vocabulary that start with `term`, or of which `term` is a longer form. */
function startingLike(vocabulary: readonly string[], term: string): string[] {
  if (term.length < MIN_PREFIX) return [];
  const found: string[] = [];
  for (let at = lowerBound(vocabulary, term); vocabulary[at]?.startsWith(term); at++)
    found.push(vocabulary[at] as string);
  for (let length = term.length - 1; length >= MIN_PREFIX && found.length === 0; length--) {
    const start = term.slice(0, length);
    if (vocabulary[lowerBound(vocabulary, start)] === start) found.push(start);
  }
  return found;
}

function lowerBound(sorted: readonly string[], wanted: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as string) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
