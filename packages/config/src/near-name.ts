const MAX_NAME = 64;
const MAX_EDITS = 2;

/**
 * The candidate that a mistyped name most likely meant: the same but for case and separators, or at most two edits
 * (insert, remove, replace, swap neighbours) and at most half of its letters away. The first of equals.
 */
export function nearName(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const folded = fold(name);
  let nearest: string | undefined;
  let least = Math.min(MAX_EDITS, folded.length >> 1) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(folded, fold(candidate));
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_ .]/g, "");
}

/** Optimal string alignment distance. */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, j) => j);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const cost = left[i - 1] === right[j - 1] ? 0 : 1;
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost);
      const isSwap = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (i > 1 && j > 1 && isSwap) best = Math.min(best, beforeLast[j - 2]! + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[right.length]!;
}
