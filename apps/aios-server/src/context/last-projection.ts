import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Contained } from "../reader/contained.ts";
import type { Projection } from "./projection.ts";

/** A projection, with the reader that everything in it came through. */
interface Made {
  readonly projection: Projection;
  readonly reader: Pick<Contained, "verify" | "changedNs">;
}

/** Remembers one projection, in memory alone, for the next who asks the same. */
export interface LastProjection {
  /** The projection that was asked for by this key, if all that it was made from is as it was; else a new one. */
  recall(key: string, now: Date, make: () => Made): Projection;
}

/** Remembers nothing yet. */
export function createLastProjection(): LastProjection {
  let last: (Made & { readonly key: string }) | undefined;
  return {
    recall(key, now, make) {
      if (last?.key === key && isUnchanged(last)) return last.projection;
      last = undefined;
      const made = make();
      // A change in the same moment as the last one might not show in a stamp.
      const settledNs = BigInt(now.getTime() - limits.minCachedAgeMs) * 1_000_000n;
      if (made.reader.changedNs < settledNs) last = { key, ...made };
      return made.projection;
    },
  };
}

function isUnchanged({ reader }: Made): boolean {
  try {
    reader.verify();
    return true;
  } catch (error) {
    // What is wrong now shows when it is read again.
    if (error instanceof AiosError) return false;
    throw error;
  }
}
