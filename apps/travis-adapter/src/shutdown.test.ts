import { describe, expect, it } from "vitest";
import { limits } from "./limits.ts";
import { createShutdown } from "./shutdown.ts";

/** Steps that note when they begin, and a clock that the test lets run out. */
function world() {
  const done: string[] = [];
  let runOut: () => void = () => {};
  const out = new Promise<void>((resolve) => {
    runOut = resolve;
  });
  return {
    done,
    runOut: () => runOut(),
    ends: (name: string) => async () => void done.push(name),
    hangs: (name: string) => () => {
      done.push(name);
      return new Promise<never>(() => {});
    },
    fails: (name: string) => async () => {
      done.push(name);
      throw new Error(name);
    },
    async after(ms: number) {
      done.push(`at most ${ms}`);
      await out;
    },
  };
}

describe("createShutdown", () => {
  it("[A30] is over when all has ended, and cleans up last", async () => {
    const { ends, after, done } = world();
    await createShutdown({ endings: [ends("servers")], cleanups: [ends("files")], after })();
    expect(done).toEqual(["servers", `at most ${limits.maxShutdownMs}`, "files"]);
    expect(limits.maxShutdownMs).toBe(8000);
  });

  it("[A30] waits 8 s and no longer for what ignores everything, and then removes the files all the same", async () => {
    const { ends, hangs, after, done, runOut } = world();
    const endings = [hangs("servers"), ends("sweep")];
    const over = createShutdown({ endings, cleanups: [ends("record"), ends("files")], after })();
    await new Promise(setImmediate);
    expect(done).toEqual(["servers", "sweep", "at most 8000"]);
    runOut();
    await over;
    expect(done.slice(3)).toEqual(["record", "files"]);
  });

  it("[A30] leaves nothing out because something else failed", async () => {
    const { ends, fails, after, done } = world();
    const endings = [fails("servers"), ends("sweep")];
    const cleanups = [fails("record"), ends("files")];
    await createShutdown({ endings, cleanups, after })();
    expect(done).toEqual(["servers", "sweep", "at most 8000", "record", "files"]);
  });

  it("[A30] happens once, whoever asks and however often", async () => {
    const { ends, after, done } = world();
    const shutDown = createShutdown({ endings: [ends("servers")], cleanups: [], after });
    await Promise.all([shutDown(), shutDown()]);
    await shutDown();
    expect(done).toEqual(["servers", "at most 8000"]);
  });
});
