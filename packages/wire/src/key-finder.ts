import type { JsonMember } from "@core/bounds";

/** A key that two JSON readers could take for different members. */
export interface Doubt {
  /** The key as it should be written. */
  readonly key: string;
  readonly problem: "stands twice" | "is written in another case" | "is written with escapes";
}

/** For each of a finder's keys, in their order, the member that has it. */
type Found<Keys extends readonly string[]> = {
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
  const lengths = new Set(keys.map((key) => key.length));

  /** The key that another one stands for where case is ignored. */
  function findMeant(member: JsonMember): Keys[number] | undefined {
    // Folding costs much, and keeps the length of a key in ASCII.
    if (isPlain(member) && !lengths.has(member.key.length)) return undefined;
    return byFoldedKey.get(foldCase(member.key));
  }

  return {
    find(members, doubts) {
      const found = new Array<JsonMember | undefined>(keys.length);
      for (let index = 0; index < members.length; index++) {
        const member = members[index]!;
        const { key } = member;
        const place = places.get(key);
        if (place === undefined) {
          const meant = findMeant(member);
          if (meant !== undefined)
            doubts.push({ key: meant, problem: "is written in another case" });
          continue;
        }
        found[place] = member;
        if (member.duplicate) doubts.push({ key, problem: "stands twice" });
        if (!isPlain(member)) doubts.push({ key, problem: "is written with escapes" });
      }
      return found as unknown as Found<Keys>;
    },
  };
}

function foldCase(key: string): string {
  return key.toUpperCase().toLowerCase();
}

/** Whether a key is ASCII and written without escapes: else it has more bytes than characters. */
function isPlain({ key, keyStart, keyEnd }: JsonMember): boolean {
  return keyEnd - keyStart === key.length + 2;
}
