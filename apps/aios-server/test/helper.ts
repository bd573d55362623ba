import type { Disk } from "../src/reader/disk.ts";
import { createReadingActors } from "../src/reader/reading-actors.ts";
import type { Helper } from "../src/reader/shared-work.ts";

/** A helper without a thread: it does every n-th piece as the other thread would, with copies of all that it is given. */
export function helperOn(
  disk: Disk,
  { fold, every = 1 }: { fold: (text: string) => string; every?: number },
): Helper {
  const actors = createReadingActors(disk, fold);
  return {
    share({ actor, given, pieces, act }) {
      const copy = structuredClone(given);
      const there = actors[actor as "list" | "look" | "read"](copy as never);
      try {
        return pieces.map((piece, at) => {
          if (at % every > 0) return act(piece);
          return structuredClone(there.act(structuredClone(piece) as never)) as never;
        });
      } finally {
        there[Symbol.dispose]();
      }
    },
  };
}
