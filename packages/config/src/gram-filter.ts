/**
 * A quick test that rules out most of a text. Of every pattern the first `stride` grams (runs of `length` units) are in
 * it, so where it does not hold the gram that begins `stride - 1` units after a place, no pattern begins anywhere from
 * that place to the gram's first unit.
 */
export interface GramFilter {
  readonly stride: number;
  readonly length: number;
  /** Whether a pattern may hold the gram at `index`; the gram has to lie inside the text. */
  mayHold(text: string, index: number): boolean;
}

const MIN_GRAM = 4;
/** Longer strides save little and put more grams into the filter. */
const MAX_STRIDE = 16;
/** How many grams there are, or bits, for each one in the filter: few unrelated ones pass. */
const SPARSENESS = 32;
/** 4,194,304 bits are 512 KiB, which still fits a processor's second cache. */
const MAX_BITS_LOG2 = 22;

export function createGramFilter(patterns: readonly string[]): GramFilter {
  const { length, stride } = chooseShape(patterns);
  const bitsLog2 = Math.ceil(Math.log2(patterns.length * stride * SPARSENESS));
  const shift = 32 - Math.min(MAX_BITS_LOG2, bitsLog2);
  const words = new Uint32Array(2 ** (32 - shift - 5));

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

/**
 * Half of the shortest pattern as gram and half as stride reads the least; a small alphabet with many patterns, such as
 * hexadecimal keys, needs longer grams to tell patterns from other text.
 */
function chooseShape(patterns: readonly string[]): { length: number; stride: number } {
  const shortest = patterns.reduce((least, { length }) => Math.min(least, length), Infinity);
  const alphabet = new Set(patterns.flatMap((pattern) => [...pattern])).size;
  const strideOf = (length: number) => Math.min(MAX_STRIDE, shortest - length + 1);
  const isSparse = (length: number) =>
    alphabet ** length >= SPARSENESS * patterns.length * strideOf(length);

  let length = Math.min(shortest, Math.max(MIN_GRAM, Math.min(2 * MIN_GRAM, shortest >> 1)));
  while (length < shortest && !isSparse(length)) length += 1;
  return { length, stride: strideOf(length) };
}
