import { limits } from "../limits.ts";
import { isSame, type Stamp } from "./stamp.ts";

/** Gives what was made of a file in an earlier call if the file still has the stamp that it had then; else makes it. */
export type RecallSource = <T>(path: string, stamp: Stamp, make: () => T) => T;

/** What was made of the files of one folder, in memory alone. */
export interface KeptSources {
  /** For one call, after which nothing is kept but what that call asked for. A path must always be made into the same. */
  forCall(now: Date): RecallSource;
}

/** Keeps nothing yet. */
export function createKeptSources(): KeptSources {
  let kept = new Map<string, { readonly stamp: Stamp; readonly value: unknown }>();
  return {
    forCall(now) {
      // A change in the same moment as the last one might not show in a stamp.
      const settledNs = BigInt(now.getTime() - limits.minCachedAgeMs) * 1_000_000n;
      const earlier = kept;
      const current: typeof kept = new Map();
      kept = current;
      return <T>(path: string, stamp: Stamp, make: () => T) => {
        const known = earlier.get(path);
        const value = known && isSame(known.stamp, stamp) ? (known.value as T) : make();
        if (stamp.ctimeNs < settledNs) current.set(path, { stamp, value });
        return value;
      };
    },
  };
}
