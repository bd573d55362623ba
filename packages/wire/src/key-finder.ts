import type { JsonMember } from "@core/bounds";

/** A key that two JSON readers could take for different members. */
export interface Doubt {
  /** The key as it should be written. */
  readonly key: string;
  readonly problem: "stands twice" | "is written in another case" | "is written with escapes";
}

export type Found<K extends string> = Readonly<Partial<Record<K, JsonMember>>>;

export interface KeyFinder<K extends string> {
  /** The members with the finder's keys; what is ambiguous about them is added to `doubts`. */
  find(members: readonly JsonMember[] | undefined, doubts: Doubt[]): Found<K>;
}

/**
 * Finds members by key where every reader must find the same ones: some take the first of two equal keys and some
 * the last, some ignore case (and then fold the Kelvin sign and the long s too).
 */
export function createKeyFinder<const K extends string>(keys: readonly K[]): KeyFinder<K> {
  const known = new Set<string>(keys);
  const byFoldedKey = new Map(keys.map((key) => [foldCase(key), key]));

  return {
    find(members, doubts) {
      const found: Partial<Record<string, JsonMember>> = {};
      for (const member of members ?? []) {
        if (known.has(member.key)) {
          found[member.key] = member;
          if (member.duplicate) doubts.push({ key: member.key, problem: "stands twice" });
          if (isEscaped(member))
            doubts.push({ key: member.key, problem: "is written with escapes" });
        } else {
          const key = byFoldedKey.get(foldCase(member.key));
          if (key !== undefined) doubts.push({ key, problem: "is written in another case" });
        }
      }
      return found as Found<K>;
    },
  };
}

function foldCase(key: string): string {
  return key.toUpperCase().toLowerCase();
}

/** The keys in question are ASCII, so that a longer spelling can only come from escapes. */
function isEscaped({ key, keyStart, keyEnd }: JsonMember): boolean {
  return keyEnd - keyStart !== key.length + 2;
}
