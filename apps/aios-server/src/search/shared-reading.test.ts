import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MIB } from "@core/bounds";
import { sampleAios } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { watchedDisk } from "../../test/disk.ts";
import { createAios, makePipe, writeFiles } from "../../test/folder.ts";
import { helperOn } from "../../test/helper.ts";
import { type Disk, nodeDisk } from "../reader/disk.ts";
import type { Helper } from "../reader/shared-work.ts";
import { reportFailure } from "../response/failure.ts";
import { createAiosServer } from "../server.ts";
import { foldText } from "./word.ts";

/** The answers to the same question twice in one server, or the refusals. */
function answersOf(folder: string, query: string, helper?: Helper): string[] {
  const now = () => new Date(Date.now() + 3_600_000);
  const server = createAiosServer({ folder, version: "1.0.0", home: "/nowhere", now, helper });
  return [1, 2].map(() => {
    try {
      return server.searchAios({ query, budget: 32_000, limit: 20 });
    } catch (error) {
      return reportFailure(error).code;
    }
  });
}

function expectParity(folder: string, query: string): string[] {
  const alone = answersOf(folder, query);
  for (const every of [1, 2, 3]) {
    const helper = helperOn(nodeDisk, { fold: foldText, every });
    expect(answersOf(folder, query, helper)).toEqual(alone);
  }
  return alone;
}

/** Notes in folders within folders, one of them with accents and one that is empty. */
const notes = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => [
    `vault/${at % 3}/${at % 5}/note-${at}.md`,
    at % 7 === 0 ? `# Márea ${at}\n\nThe tide turns.` : at === 1 ? "" : `# Note ${at}\n\ntide`,
  ]),
);

/** What may be wrong with a folder. */
const wrongs: Readonly<Record<string, (root: string) => void>> = {
  "holds a link": (root) => symlinkSync("note-0.md", join(root, "vault/0/0/z.md")),
  "holds a pipe": (root) => makePipe(join(root, "vault/1/1/pipe.md")),
  "holds bytes that are not UTF-8": (root) =>
    writeFileSync(join(root, "vault/2/2/bad.md"), Buffer.from([0x61, 0xff])),
  "holds a file of more than 4 MiB": (root) =>
    writeFileSync(join(root, "vault/0/1/big.md"), "x".repeat(4 * MIB + 1)),
  "holds a linked folder": (root) => symlinkSync("..", join(root, "vault/0/up")),
  "has a session without its text": (root) =>
    writeFiles(root, {
      "memory/sessions/index.jsonl": '{"session_id":"a","path":"memory/sessions/2026/a.md"}\n',
    }),
};

describe("a search whose reading is shared", () => {
  it.each(["chart datum", "tide", "brent geese", "nothing of the kind", "é"])(
    "[S9] answers %j about the sample folder as one that reads alone",
    (query) => {
      expect(expectParity(sampleAios, query)[0]).toMatch(/"complete": ?true/);
    },
  );

  it.each(Object.keys(wrongs))(
    "[S10] omits and refuses the same in a folder that %s",
    async (name) => {
      await using folder = createAios(notes);
      wrongs[name]!(folder.path);
      expectParity(folder.path, "tide");
    },
  );

  it("[S19] stops before the next piece, wherever it is cancelled", async () => {
    await using folder = createAios(notes);
    const opened: number[] = [];
    for (let stopAt = 0; stopAt < 40; stopAt++) {
      let checkpoints = 0;
      let files = 0;
      const disk = watchedDisk(({ method }) => {
        if (method === "openFile") files++;
      });
      const helper = helperOn(nodeDisk, { fold: foldText, every: 2 });
      const server = createAiosServer({ folder: folder.path, version: "1.0.0", disk, helper });
      const cancel = () => {
        if (checkpoints++ === stopAt) throw new Error("cancelled");
      };
      expect(() => server.searchAios({ query: "tide" }, cancel)).toThrow("cancelled");
      expect(checkpoints).toBe(stopAt + 1);
      opened.push(files);
    }
    // The first file is aios.json, and what is opened here grows by one piece at most.
    expect(opened[0]).toBe(1);
    for (const [at, files] of opened.slice(1).entries())
      expect(files - opened[at]!).toBeLessThanOrEqual(4);
  });

  it("[S21] is refused when a file changes after another thread has read it", async () => {
    await using folder = createAios(notes);
    let reads = 0;
    const there: Disk = watchedDisk(({ method }) => {
      if (method === "close" && ++reads === 40)
        writeFiles(folder.path, { "vault/0/0/note-0.md": "changed" });
    });
    const [first] = answersOf(folder.path, "tide", helperOn(there, { fold: foldText }));
    expect(first).toBe("SOURCE_CHANGED");
  });
});
