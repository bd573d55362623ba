/**
 * A quick test that rules out most of a text. Every pattern's first grams (runs of `length` units) are in it, so where
 * the gram at `stride - 1` units after a place is not in it, no pattern starts at that place or in the whole stride.
 */
export interface GramFilter {
  readonly stride: number;
  readonly length: number;
  /** Whether a pattern may hold the gram at `index`; the gram has to lie inside the text. */
  mayHold(text: string, index: number): boolean;
}

const MAX_GRAM = 8;
const MIN_GRAM = 4;
const MAX_STRIDE = 16;
/** 4,194,304 bits are 512 KiB, which still fits a processor's second cache. */
const MAX_BITS_LOG2 = 22;
/** Bits for each gram, as a power of two: about one unrelated gram of 32 passes. */
const SPARSENESS_LOG2 = 5;

export function createGramFilter(patterns: readonly string[]): GramFilter {
  const shortest = patterns.reduce((least, { length }) => Math.min(least, length), Infinity);
  const length = Math.min(shortest, Math.max(MIN_GRAM, Math.min(MAX_GRAM, shortest >> 1)));
  const stride = Math.min(MAX_STRIDE, shortest - length + 1);
  const wanted = Math.ceil(Math.log2(patterns.length * stride)) + SPARSENESS_LOG2;
  const bitsLog2 = Math.min(MAX_BITS_LOG2, wanted);
  const shift = 32 - bitsLog2;
  const words = new Uint32Array(2 ** Math.max(0, bitsLog2 - 5));

  const hashAt = (text: string, index: number) => {
    let hash = 0;
    for (let i = index; i < index + length; i++)
      hash = Math.imul(hash ^ text.charCodeAt(i), 0x9e3779b1);
    return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> shift;
  };
  for (const pattern of patterns) {
    for (let offset = 0; offset < stride; offset++) {
      const hash = hashAt(pattern, offset);
      words[hash >>> 5]! |= 1 << (hash & 31);
    }
  }
  return {
    stride,
    length,
    mayHold(text, index) {
      const hash = hashAt(text, index);
      return (words[hash >>> 5]! & (1 << (hash & 31))) !== 0;
    },
  };
}
