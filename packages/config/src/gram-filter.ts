/**
 * A quick test that rules out most of a text. Of every pattern the first `stride` grams (runs of `length` units) are in
 * it, so where it does not hold the gram that begins `stride - 1` units after a place, no pattern begins anywhere from
 * that place to the gram's first unit.
 */
export interface GramFilter {
  readonly stride: number;
  readonly length: number;
  /**
   * The first of the grams at `first`, `first + stride`, … up to `last` that a pattern may hold, or the next after `last`
   * if none may. The gram at `last` has to lie inside of the units.
   */
  find(units: Uint16Array, first: number, last: number): number;
}

const MIN_GRAM = 4;
/** Longer strides save little and put more grams into the filter. */
const MAX_STRIDE = 16;
/** How many grams the alphabet allows for each one in the filter, at least: few texts hold one by chance. */
const GRAMS_PER_ENTRY = 32;
/** Bits of the filter for each gram in it: few others pass. */
const BITS_PER_ENTRY = 32;
/** 131,072 words are 512 KiB, which still fits a processor's second cache. */
const MAX_WORDS_LOG2 = 17;

/** A Bloom filter with two bits a gram that lie in one word, so that a look costs one access to memory. */
export function createGramFilter(patterns: readonly string[]): GramFilter {
  const { length, stride } = chooseShape(patterns);
  const bits = patterns.length * stride * BITS_PER_ENTRY;
  const wordsLog2 = Math.min(MAX_WORDS_LOG2, Math.max(1, Math.ceil(Math.log2(bits / 32))));
  const shift = 32 - wordsLog2;
  const words = new Int32Array(2 ** wordsLog2);

  for (const pattern of patterns) {
    const units = unitsOf(pattern);
    for (let offset = 0; offset < stride; offset++) {
      const hash = hashAt(units, offset, length);
      words[hash >>> shift]! |= maskOf(hash);
    }
  }
  return {
    stride,
    length,
    find(units, first, last) {
      let index = first;
      for (; index <= last; index += stride) {
        const hash = hashAt(units, index, length);
        const mask = maskOf(hash);
        if ((words[hash >>> shift]! & mask) === mask) break;
      }
      return index;
    },
  };
}

/** The upper bits choose the word, the lowest ten the two bits in it. */
function hashAt(units: Uint16Array, index: number, length: number): number {
  let hash = 0;
  for (let i = index; i < index + length; i++) hash = Math.imul(hash ^ units[i]!, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

function maskOf(hash: number): number {
  return (1 << (hash & 31)) | (1 << ((hash >>> 5) & 31));
}

function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
}

/**
 * Half of the shortest pattern as gram and half as stride reads the least; a small alphabet with many patterns, such as
 * hexadecimal keys, needs longer grams to tell patterns from other text.
 */
function chooseShape(patterns: readonly string[]): { length: number; stride: number } {
  const shortest = patterns.reduce((least, { length }) => Math.min(least, length), Infinity);
  const alphabet = new Set(patterns.join("")).size;
  const strideOf = (length: number) => Math.min(MAX_STRIDE, shortest - length + 1);
  const isSparse = (length: number) =>
    alphabet ** length >= GRAMS_PER_ENTRY * patterns.length * strideOf(length);

  let length = Math.min(shortest, Math.max(MIN_GRAM, Math.min(2 * MIN_GRAM, shortest >> 1)));
  while (length < shortest && !isSparse(length)) length += 1;
  return { length, stride: strideOf(length) };
}
