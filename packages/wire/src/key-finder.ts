import type { JsonMember } from "@core/bounds";

/** A key that two JSON readers could take for different members. */
export interface Doubt {
  /** The key as it should be written. */
  readonly key: string;
  readonly problem: "stands twice" | "is written in another case" | "is written with escapes";
}

/** For each of a finder's keys, in their order, the member that has it. */
export type Found<Keys extends readonly string[]> = {
  readonly [Index in keyof Keys]: JsonMember | undefined;
};

export interface KeyFinder<Keys extends readonly string[]> {
  /** The members with the finder's keys; what is ambiguous about them is added to `doubts`. */
  find(members: readonly JsonMember[], doubts: Doubt[]): Found<Keys>;
}

/**
 * Finds members by key where every reader must find the same ones: some take the first of two equal keys and some
 * the last, some ignore case (and then fold the Kelvin sign and the long s too).
 */
export function createKeyFinder<const Keys extends readonly string[]>(keys: Keys): KeyFinder<Keys> {
  const places = new Map(keys.map((key, place) => [key, place]));
  const byFoldedKey = new Map(keys.map((key) => [foldCase(key), key]));

  return {
    find(members, doubts) {
      const found = new Array<JsonMember | undefined>(keys.length);
      for (let index = 0; index < members.length; index++) {
        const member = members[index]!;
        const { key } = member;
        const place = places.get(key);
        if (place === undefined) {
          const meant = byFoldedKey.get(foldCase(key));
          if (meant !== undefined)
            doubts.push({ key: meant, problem: "is written in another case" });
          continue;
        }
        found[place] = member;
        if (member.duplicate) doubts.push({ key, problem: "stands twice" });
        if (isEscaped(member)) doubts.push({ key, problem: "is written with escapes" });
      }
      return found as unknown as Found<Keys>;
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
