import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { watchedDisk } from "../../test/disk.ts";
import { createAios, waitForTick, writeFiles } from "../../test/folder.ts";
import { limits } from "../limits.ts";
import { reportFailure } from "../response/failure.ts";
import { createAiosServer } from "../server.ts";
import { createKeptSources } from "./kept-sources.ts";
import type { Stamp } from "./stamp.ts";

const NOW = new Date(2026, 10, 30, 12);
const SETTLED = BigInt(NOW.getTime() - limits.minCachedAgeMs) * 1_000_000n;

function stamp(ctimeNs: bigint): Stamp {
  return { dev: 1n, ino: 1n, mode: 1n, nlink: 1n, size: 1n, mtimeNs: 1n, ctimeNs };
}

describe("createKeptSources", () => {
  /** Whether what was made at one stamp is made anew at another, in the next call. */
  const isMadeAnew = (before: bigint, after: bigint) => {
    const kept = createKeptSources();
    kept.forCall(NOW)("a", stamp(before), () => "first");
    return kept.forCall(NOW)("a", stamp(after), () => "second") === "second";
  };

  it("[S21] makes anew what has another stamp, and keeps none of a file younger than two seconds", () => {
    expect(isMadeAnew(SETTLED - 1n, SETTLED - 1n)).toBe(false);
    expect(isMadeAnew(SETTLED - 1n, SETTLED - 2n)).toBe(true);
    expect(isMadeAnew(SETTLED, SETTLED)).toBe(true);
  });

  it("keeps only what the last call asked for", () => {
    const kept = createKeptSources();
    const ask = (path: string, value: string) =>
      kept.forCall(NOW)(path, stamp(SETTLED - 1n), () => value);
    expect([ask("a", "1"), ask("a", "2"), ask("b", "3"), ask("a", "4")]).toEqual([
      "1",
      "1",
      "3",
      "4",
    ]);
  });
});

/** So late that every file here has long been as it is. */
const LATE = new Date(Date.now() + 3_600_000);
const README = "projects/oak/README.md";
const FILES = {
  "context/identity.md": "# Ines",
  "context/work.md": "# Work",
  "decisions/log.md": "## First\n",
  "memory/sessions/index.jsonl": '{"captured_at":"2026-11-30T10:00:00Z","project":"oak"}\n',
  [README]: "---\nid: prj-o\n---\n# Oak",
  "projects/elm/README.md": "---\nid: prj-e\n---\n# Elm",
};

/** A server that tells which files it opens. */
function startServer(folder: string) {
  const opened: string[] = [];
  const disk = watchedDisk(({ method, subject }) => {
    if (method === "openFile") opened.push(basename(String(subject)));
  });
  const server = createAiosServer({ folder, version: "1.0.0", now: () => LATE, disk });
  return {
    opened,
    /** The answer, or the code of the failure. */
    ask() {
      opened.length = 0;
      try {
        return server.readWorkingContext({});
      } catch (error) {
        return reportFailure(error).code;
      }
    },
  };
}

describe("a working context of a folder that changed", () => {
  it("opens again only the files that changed", async () => {
    await using folder = createAios(FILES);
    const server = startServer(folder.path);
    server.ask();
    expect(server.opened).toHaveLength(Object.keys(FILES).length + 1);
    writeFiles(folder.path, { [README]: "---\nid: prj-o\n---\n# Old oak" });
    expect(server.ask()).toMatchObject({ markdown: expect.stringContaining("Old oak") });
    // aios.json is read by the inspection, which keeps nothing.
    expect(server.opened).toEqual(["README.md", "aios.json"]);
  });

  const changes: Record<string, (root: string) => void> = {
    "a note that is written anew at the same length": (root) =>
      writeFiles(root, { "context/identity.md": "# Rosa" }),
    "a README that is no UTF-8 any more": (root) =>
      writeFiles(root, { [README]: Buffer.from([0xff]) }),
    "a README that claims another project's id": (root) =>
      writeFiles(root, { [README]: "---\nid: prj-e\n---\n# Oak" }),
    "sessions that say otherwise": (root) =>
      writeFiles(root, {
        "memory/sessions/index.jsonl": '{"captured_at":"2026-11-30T11:00:00Z","project":"elm"}\n',
      }),
    "a note that is gone": (root) => rmSync(join(root, "context/work.md")),
    "a note that grew too large": (root) =>
      writeFileSync(join(root, "context/work.md"), Buffer.alloc(limits.maxNoteBytes + 1, "x")),
    "a new project with the id of another": (root) =>
      writeFiles(root, { "projects/ash/README.md": "---\nid: prj-o\n---\n# Ash" }),
    "a folder that is a link to where it was moved": (root) => {
      mkdirSync(join(root, "elsewhere"));
      renameSync(join(root, "projects/oak"), join(root, "elsewhere/oak"));
      symlinkSync(join(root, "elsewhere/oak"), join(root, "projects/oak"));
    },
    "a shelf that is a link to where it was moved": (root) => {
      renameSync(join(root, "context"), join(root, "elsewhere"));
      symlinkSync(join(root, "elsewhere"), join(root, "context"));
    },
  };
  it.each(Object.keys(changes))(
    "[S21] is that of a server which never read it: %s",
    async (what) => {
      await using folder = createAios(FILES);
      const server = startServer(folder.path);
      const before = server.ask();
      waitForTick(join(folder.path, "context/identity.md"));
      changes[what]!(folder.path);
      const after = server.ask();
      expect(after).toEqual(startServer(folder.path).ask());
      expect(after).not.toEqual(before);
    },
  );
});
