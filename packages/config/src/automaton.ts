import { createGramFilter } from "./gram-filter.ts";

/** Where in a text a pattern stands; offsets in UTF-16 units. `start` is negative if it began in an earlier text. */
type OnMatch = (start: number, end: number) => void;

/** A finite automaton over UTF-16 units that finds many patterns at once. Its states are opaque; 0 is the first. */
export interface Automaton {
  /**
   * Reads a text from a state and returns the state after it. Reports at each unit where a pattern ends the longest one
   * that ends there, by rising end. Texts that are read one after the other count as one.
   */
  scan(text: string, state: number, onMatch: OnMatch): number;
  /** How many of the last units may be the start of a pattern that goes on. */
  depthOf(state: number): number;
}

const ROOT = 0;

/**
 * Aho and Corasick's automaton (CACM 18, 1975), which reads each unit once whatever the patterns and the text are, behind
 * a filter that lets it sleep where no pattern can start. Patterns must not be empty.
 */
export function createAutomaton(patterns: readonly string[]): Automaton {
  const trie = createTrie(patterns);
  const { depth, childOf } = trie;
  const { failure, longest } = linkFailures(trie);
  const filter = createGramFilter(patterns);
  const { stride } = filter;
  /** A state of this depth has already read the gram that would be looked at. */
  const reach = stride + filter.length - 1;
  // Reading units from here is much faster than charCodeAt.
  const units = new Uint16Array(BLOCK_UNITS);
  const bytes = Buffer.from(units.buffer);

  /** Reads the first `count` units of the block, which begins at `base` in the text. */
  const scanBlock = (count: number, base: number, from: number, onMatch: OnMatch) => {
    const lastGram = count - filter.length;
    let state = from;
    let awakeUntil = 0;
    for (let index = 0; index < count; ) {
      if (index >= awakeUntil && depth[state]! < reach) {
        // Whatever pattern is still possible begins at `index - depth` or later.
        const first = index - depth[state]! + stride - 1;
        if (first >= 0 && first <= lastGram) {
          const gram = filter.find(units, first, lastGram);
          awakeUntil = Math.max(gram, index) + 1;
          if (gram > first) {
            // May step back, by less than a gram: too little to meet the end of a pattern twice.
            index = gram - stride + 1;
            state = ROOT;
            continue;
          }
        }
      }
      const unit = units[index]!;
      let next = childOf(state, unit);
      while (next === ROOT && state !== ROOT) {
        state = failure[state]!;
        next = childOf(state, unit);
      }
      state = next;
      index += 1;
      const length = longest[state]!;
      if (length > 0) onMatch(base + index - length, base + index);
    }
    return state;
  };

  return {
    depthOf: (state) => depth[state]!,
    scan(text, from, onMatch) {
      let state = from;
      for (let base = 0; base < text.length; base += BLOCK_UNITS) {
        const part = text.slice(base, base + BLOCK_UNITS);
        bytes.write(part, "utf16le");
        state = scanBlock(part.length, base, state, onMatch);
      }
      return state;
    },
  };
}

const BLOCK_UNITS = 16_384;

/** The patterns as a tree of nodes by number. Nodes of one pattern follow each other, parents before children. */
interface Trie {
  readonly size: number;
  readonly parent: Int32Array;
  readonly unit: Uint16Array;
  readonly depth: Int32Array;
  readonly isPattern: Uint8Array;
  /** The child, or 0, which is the root and nobody's child. */
  childOf(node: number, unit: number): number;
}

function createTrie(patterns: readonly string[]): Trie {
  const most = patterns.reduce((sum, pattern) => sum + pattern.length, 1);
  const parent = new Int32Array(most);
  const unit = new Uint16Array(most);
  const depth = new Int32Array(most);
  const isPattern = new Uint8Array(most);
  // One open hash table for the edges of all nodes: its memory follows the patterns' length, whatever their alphabet.
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * most)));
  const mask = slots.length - 1;
  let size = 1;

  const slotOf = (node: number, edge: number) => {
    let hash = Math.imul(node, 0x9e3779b1) ^ Math.imul(edge, 0x85ebca6b);
    hash ^= hash >>> 15;
    let slot = hash & mask;
    for (;;) {
      const child = slots[slot]!;
      if (child === ROOT || (parent[child] === node && unit[child] === edge)) return slot;
      slot = (slot + 1) & mask;
    }
  };
  const addChild = (node: number, edge: number) => {
    const slot = slotOf(node, edge);
    if (slots[slot] !== ROOT) return slots[slot]!;
    parent[size] = node;
    unit[size] = edge;
    depth[size] = depth[node]! + 1;
    slots[slot] = size;
    return size++;
  };

  for (const pattern of patterns) {
    let node = ROOT;
    for (let i = 0; i < pattern.length; i++) node = addChild(node, pattern.charCodeAt(i));
    isPattern[node] = 1;
  }
  return {
    size,
    parent,
    unit,
    depth,
    isPattern,
    childOf: (node, edge) => slots[slotOf(node, edge)]!,
  };
}

/**
 * For each node the node of its longest proper suffix that starts a pattern, and the length of the longest pattern
 * that it ends with.
 */
function linkFailures({ size, parent, unit, depth, isPattern, childOf }: Trie) {
  const failure = new Int32Array(size);
  const longest = new Int32Array(size);
  for (const node of nodesByDepth(size, depth)) {
    const above = parent[node]!;
    let suffix = failure[above]!;
    if (above !== ROOT) {
      while (suffix !== ROOT && childOf(suffix, unit[node]!) === ROOT) suffix = failure[suffix]!;
      failure[node] = childOf(suffix, unit[node]!);
    }
    longest[node] = isPattern[node] === 1 ? depth[node]! : longest[failure[node]!]!;
  }
  return { failure, longest };
}

/** All nodes but the root, by depth: a counting sort. */
function nodesByDepth(size: number, depth: Int32Array): Int32Array {
  const deepest = depth.subarray(0, size).reduce((most, one) => Math.max(most, one), 0);
  const next = new Int32Array(deepest + 2);
  for (let node = 1; node < size; node++) next[depth[node]! + 1]! += 1;
  for (let level = 1; level < next.length; level++) next[level]! += next[level - 1]!;
  const ordered = new Int32Array(size - 1);
  for (let node = 1; node < size; node++) ordered[next[depth[node]!]!++] = node;
  return ordered;
}
