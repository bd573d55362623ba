import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { MIB } from "@core/bounds";
import { createTempFolder } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { type DiskCall, watchedDisk } from "../../test/disk.ts";
import { createAios, makePipe, waitForTick, writeFiles } from "../../test/folder.ts";
import { helperOn } from "../../test/helper.ts";
import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import { decideMemory } from "../memory/gate.ts";
import { type Disk, nodeDisk } from "./disk.ts";
import type { Anchor } from "./folders.ts";
import { createTextCache, type TextCache } from "./text-cache.ts";
import { openTree } from "./tree.ts";

const SOURCE = "a note";
/** Late enough for everything on the disk to be settled. */
const LATER = Date.now() + 3_600_000;

interface Opening {
  readonly disk?: Disk;
  readonly anchor?: Anchor;
  readonly cache?: TextCache;
  readonly now?: number;
  /** Whether another thread would read; without it this call does so alone. */
  readonly shared?: boolean;
}

const fold = (text: string) => text.toLowerCase();

function open(root: string, opening: Opening = {}) {
  const { disk = nodeDisk, anchor = "descriptor", now = LATER, shared = false } = opening;
  const { cache = createTextCache(MIB) } = opening;
  const decision = decideMemory({ memory: "shared", project: undefined });
  if (decision.mode === "off") throw new Error("memory is not off here");
  const helper = shared ? helperOn(disk, { fold }) : undefined;
  return openTree(decision.access, { root, cache, fold, now, disk, anchor, helper });
}

const all = () => true;
const none = () => {};

/** The text of `d/note.md` as a search would read it: listed, read, seen again; or the code of the refusal. */
function readNote(root: string, opening: Opening = {}): string | undefined {
  try {
    using tree = open(root, opening);
    const names = (tree.list("d", SOURCE, none) ?? []).map(({ name }) => name);
    tree.readAhead([{ folder: "d", names }], MIB, SOURCE);
    const { texts, rows } = tree.read("d", names, SOURCE, all);
    tree.verify();
    const row = rows[names.indexOf("note.md")];
    if (!tree.verifyGuesses()) return "old";
    return row === undefined ? "missing" : texts.textOf(row).text;
  } catch (error) {
    if (error instanceof AiosError) return error.code;
    throw error;
  }
}

describe.each(["descriptor", "name"] as const)("openTree by %s", (anchor) => {
  it("lists in code unit order and reads whole files, ASCII or not", async () => {
    await using folder = createAios({
      "d/é.md": "Grüße \u{1f30a}",
      "d/a.md": "\ufeffx",
      "d/b/c": "",
    });
    using tree = open(folder.path, { anchor });
    const entries = tree.list("d", SOURCE, none);
    expect(entries?.map(({ name }) => name)).toEqual(["a.md", "b", "é.md"]);
    const { texts, rows } = tree.read("d", ["a.md", "é.md"], SOURCE, all);
    expect(rows.map((row) => texts.textOf(row).text)).toEqual(["\ufeffx", "Grüße \u{1f30a}"]);
    expect(tree.sizesOf("d", ["é.md", "none.md"], SOURCE)).toEqual([12, undefined]);
    expect(tree.list("none", SOURCE, none)).toBeUndefined();
    expect(tree.list("", SOURCE, none)?.map(({ name }) => name)).toContain("d");
    tree.verify();
  });

  it("reads files that fill more than one chunk", async () => {
    const files = Array.from({ length: 5 }, (_, at) => [`d/${at}.md`, `${at}`.repeat(700_000)]);
    await using folder = createAios(Object.fromEntries(files));
    using tree = open(folder.path, { anchor });
    const names = files.map(([path]) => path!.slice(2));
    const { texts, rows } = tree.read("d", names, SOURCE, all);
    expect(rows.map((row) => texts.textOf(row).text)).toEqual(files.map(([, text]) => text));
  });

  it("reads nothing of a file that is not admitted, and none after it", async () => {
    await using folder = createAios({ "d/a": "a", "d/b": "bbb", "d/c": "c" });
    const reads: DiskCall[] = [];
    const disk = watchedDisk((call) => call.method === "read" && reads.push(call));
    using tree = open(folder.path, { anchor, disk });
    const { rows } = tree.read("d", ["a", "b", "c"], SOURCE, (size) => size < 2);
    expect([rows.length, reads.length]).toEqual([1, 1]);
  });

  it("[S21] stops listing a huge folder where it is told to", async () => {
    await using folder = createAios();
    for (let at = 0; at < 40; at++) writeFiles(folder.path, { [`d/${at}`]: "" });
    let count = 0;
    const stop = () => {
      if (++count > 10) throw new Error("enough");
    };
    using tree = open(folder.path, { anchor });
    expect(() => tree.list("d", SOURCE, stop)).toThrow("enough");
    expect(count).toBe(11);
  });

  it("[S21] refuses links at each depth, special files, and bytes that are not UTF-8", async () => {
    await using outside = createTempFolder();
    writeFiles(outside.path, { "d/note.md": "a secret" });
    await using folder = createAios({
      "real/note.md": "text",
      "bad.md": Buffer.from([0x61, 0xff]),
    });
    symlinkSync(join(outside.path, "d"), join(folder.path, "linked"));
    symlinkSync(join(outside.path, "d/note.md"), join(folder.path, "note.md"));
    makePipe(join(folder.path, "pipe.md"));
    const code = (path: string, name: string, root = folder.path) => {
      try {
        using tree = open(root, { anchor });
        tree.read(path, [name], SOURCE, all);
        return "read";
      } catch (error) {
        return error instanceof AiosError && error.code;
      }
    };
    expect(code("linked", "note.md")).toBe("SOURCE_LINKED");
    expect(code("", "note.md")).toBe("SOURCE_CHANGED");
    expect(code("", "pipe.md")).toBe("SOURCE_NOT_REGULAR");
    expect(code("", "real")).toBe("SOURCE_NOT_REGULAR");
    expect(code("", "bad.md")).toBe("SOURCE_NOT_UTF8");
    expect(code("", "zero", "/dev")).toBe("SOURCE_NOT_REGULAR");
    expect(code("../d", "note.md")).toBe("SOURCE_PATH_UNSAFE");
    expect(code("real", "none.md")).toBe("SOURCE_CHANGED");
    expect(code("none", "note.md")).toBe("SOURCE_CHANGED");
  });

  it("closes every descriptor, however it ends", async () => {
    const descriptors = () => readdirSync("/proc/self/fd").length;
    await using folder = createAios({ "d/note.md": "x", "d/bad.md": Buffer.from([0xff]) });
    const before = descriptors();
    readNote(folder.path, { anchor });
    expect(descriptors()).toBe(before);
  });
});

/** What somebody else might do to `d/note.md` while it is read; each in a folder of its own. */
const meddlings: Readonly<Record<string, (root: string, outside: string) => void>> = {
  "rewritten and its times restored": (root) => {
    const note = join(root, "d/note.md");
    const { atime, mtime } = statSync(note);
    writeFileSync(note, "changed!");
    utimesSync(note, atime, mtime);
  },
  "replaced by another file": (root) => {
    writeFileSync(join(root, "new.md"), "changed!");
    renameSync(join(root, "new.md"), join(root, "d/note.md"));
  },
  "moved away": (root) => renameSync(join(root, "d/note.md"), join(root, "d/old.md")),
  truncated: (root) => truncateSync(join(root, "d/note.md"), 3),
  extended: (root) => appendFileSync(join(root, "d/note.md"), "more"),
  "given another name as well": (root) => linkSync(join(root, "d/note.md"), join(root, "twin")),
  "joined by another file": (root) => writeFileSync(join(root, "d/other.md"), ""),
  "replaced by a link to the outside": (root, outside) => {
    rmSync(join(root, "d/note.md"));
    symlinkSync(join(outside, "d/note.md"), join(root, "d/note.md"));
  },
  "replaced by a pipe": (root) => {
    rmSync(join(root, "d/note.md"));
    makePipe(join(root, "d/note.md"));
  },
  "in a folder that became a link to the outside": (root, outside) => {
    renameSync(join(root, "d"), join(root, "old"));
    symlinkSync(join(outside, "d"), join(root, "d"));
  },
  "in a folder that was swapped for another": (root) => {
    renameSync(join(root, "d"), join(root, "old"));
    writeFiles(root, { "d/note.md": "changed!" });
  },
};

describe.each([
  { anchor: "descriptor", shared: false },
  { anchor: "name", shared: false },
  { anchor: "descriptor", shared: true },
  { anchor: "name", shared: true },
] as const)(
  "a note that is changed while it is read by $anchor, by two threads: $shared",
  ({ anchor, shared }) => {
    const original = "original";

    it.each(Object.keys(meddlings))(
      "[S21] is refused when it is %s, at every step",
      async (name) => {
        const steps = await countSteps();
        const outcomes: (string | undefined)[] = [];
        for (let step = 0; step < steps.all; step++) {
          await using outside = createTempFolder();
          writeFiles(outside.path, { "d/note.md": "a secret" });
          await using folder = createAios({ "d/note.md": original });
          waitForTick(join(folder.path, "d"));
          let at = 0;
          const disk = watchedDisk(() => {
            if (at++ === step) meddlings[name]!(folder.path, outside.path);
          });
          outcomes.push(readNote(folder.path, { anchor, shared, disk }));
        }
        expect(outcomes.join()).not.toContain("secret");
        // From the first look at the open note to the last at its name nothing can happen unseen.
        const between = outcomes.slice(steps.firstLook + 1, steps.lastLook + 1);
        expect(between.length).toBeGreaterThanOrEqual(3);
        for (const outcome of between)
          expect(outcome).toMatch(/^SOURCE_(CHANGED|LINKED|NOT_REGULAR)$/);
        // Before and after that, a text is as true as it was at that moment, and whole.
        const truths = [original, "changed!", "ori", "originalmore", "missing"];
        for (const outcome of outcomes)
          expect(outcome).toSatisfy(
            (one: string) =>
              truths.includes(one) || /^SOURCE_(CHANGED|LINKED|NOT_REGULAR)$/.test(one),
          );
      },
    );

    async function countSteps() {
      await using folder = createAios({ "d/note.md": original });
      const calls: DiskCall[] = [];
      const disk = watchedDisk((call) => void calls.push(call));
      expect(readNote(folder.path, { anchor, shared, disk })).toBe(original);
      const opened = calls.findIndex(({ method }) => method === "openFile");
      const isLook = ({ method, subject }: DiskCall) =>
        method === "lstat" && String(subject).endsWith("/note.md");
      return {
        all: calls.length,
        firstLook: calls.findIndex(({ method }, at) => method === "fstat" && at > opened),
        lastLook: calls.findLastIndex(isLook),
      };
    }
  },
);

describe("what is kept", () => {
  const countReads = (root: string, cache: TextCache, now = LATER) => {
    let reads = 0;
    const disk = watchedDisk(({ method }) => {
      if (method === "read" || method === "entries") reads++;
    });
    return { text: readNote(root, { cache, disk, now }), reads };
  };

  it("is not read again, and seen once before it counts", async () => {
    await using folder = createAios({ "d/note.md": "text" });
    const cache = createTextCache(MIB);
    expect(countReads(folder.path, cache)).toEqual({ text: "text", reads: 2 });
    expect(countReads(folder.path, cache)).toEqual({ text: "text", reads: 0 });
  });

  it("is nothing that changed in the last two seconds", async () => {
    await using folder = createAios({ "d/note.md": "text" });
    const changed = Number(statSync(join(folder.path, "d/note.md")).ctimeMs);
    const cache = createTextCache(MIB);
    for (const age of [0, limits.minCachedAgeMs - 1]) {
      const now = Math.floor(changed) + age;
      expect(countReads(folder.path, cache, now).reads).toBe(2);
    }
    expect(
      countReads(folder.path, cache, Math.ceil(changed) + limits.minCachedAgeMs + 1).reads,
    ).toBe(2);
    expect(countReads(folder.path, cache).reads).toBe(0);
  });

  it.each(Object.keys(meddlings))("[S21] is forgotten when the note is %s", async (name) => {
    await using outside = createTempFolder();
    writeFiles(outside.path, { "d/note.md": "a secret" });
    await using folder = createAios({ "d/note.md": "original" });
    const cache = createTextCache(MIB);
    expect(readNote(folder.path, { cache })).toBe("original");
    waitForTick(join(folder.path, "d"));
    meddlings[name]!(folder.path, outside.path);
    expect(readNote(folder.path, { cache })).toBe("old");
    expect(readNote(folder.path, { cache })).not.toBe("old");
    expect(readNote(folder.path, { cache })).not.toBe("a secret");
  });

  it("is nothing of a folder whose reading was stopped", async () => {
    await using folder = createAios({ "d/a.md": "a", "d/note.md": "text" });
    const cache = createTextCache(MIB);
    using tree = open(folder.path, { cache });
    const stop = (size: number) => {
      if (size > 1) throw new Error("stopped");
      return true;
    };
    expect(() => tree.read("d", ["a.md", "note.md"], SOURCE, stop)).toThrow("stopped");
    expect(countReads(folder.path, cache)).toMatchObject({ text: "text" });
  });

  it("is told apart by root", async () => {
    await using one = createAios({ "d/note.md": "one" });
    await using other = createAios({ "d/note.md": "other" });
    const cache = createTextCache(MIB);
    expect([one, other, one].map(({ path }) => readNote(path, { cache }))).toEqual([
      "one",
      "other",
      "one",
    ]);
    mkdirSync(join(one.path, "e"));
  });
});
