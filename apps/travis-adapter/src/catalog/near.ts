import { limits } from "../limits.ts";
import type { ToolCatalog } from "./tools.ts";
import { normalized } from "./words.ts";

/** Names of tools that a wrong name may have meant, nearest first; empty if none is near. */
export function nearNames(wrong: string, catalog: ToolCatalog): string[] {
  const similar = nearest(
    wrong,
    catalog.tools.map(({ name }) => name),
  );
  const matching = catalog.search().find(wrong);
  const found = matching.weak ? [] : matching.tools.map(({ name }) => name);
  return [...new Set([...similar, ...found])].slice(0, limits.maxNearNames);
}

/** Those of the names that a slip of the pen leads to, nearest first. */
export function nearest(wrong: string, names: readonly string[]): string[] {
  const wanted = normalized(wrong);
  return names
    .map((name) => ({ name, distance: distanceTo(wanted, normalized(name)) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(wanted.length / 4)))
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => name)
    .slice(0, limits.maxNearNames);
}

/** Edits that make one text of the other (Levenshtein), at most 64 characters of each compared. */
function distanceTo(left: string, right: string): number {
  const [a, b] = [left.slice(0, 64), right.slice(0, 64)];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
