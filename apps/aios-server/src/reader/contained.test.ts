import { once } from "node:events";
import {
  appendFileSync,
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
import { createServer } from "node:net";
import { join } from "node:path";
import { createMeter, LimitError } from "@core/bounds";
import { createTempFolder, edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { type DiskCall, watchedDisk } from "../../test/disk.ts";
import { createAios, makePipe, waitForTick, writeFiles } from "../../test/folder.ts";
import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import { decideMemory } from "../memory/gate.ts";
import { namesOf, openContained } from "./contained.ts";
import { type Disk, nodeDisk } from "./disk.ts";
import type { Anchor } from "./folders.ts";

const shelf = { source: "the note", maximum: 64 };
const ANCHORS: readonly Anchor[] = ["descriptor", "name"];

interface Opening {
  readonly disk?: Disk;
  readonly anchor?: Anchor;
  readonly maxima?: { bytes?: number; files?: number; entries?: number };
}

function open(folder: string, { disk = nodeDisk, anchor = "descriptor", maxima }: Opening = {}) {
  const decision = decideMemory({ memory: "shared", project: undefined });
  if (decision.mode === "off") throw new Error("memory is not off here");
  const meter = createMeter({ bytes: 1_000, files: 100, entries: 1_000, ...maxima });
  return openContained(decision.access, { folder, meter, disk, anchor });
}

/** What reading one file and verifying it comes to: its text, or the code of the refusal. */
function readText(folder: string, path: string, opening: Opening = {}): string | undefined {
  try {
    using reader = open(folder, opening);
    const text = reader.read(path, shelf)?.text;
    reader.verify();
    return text;
  } catch (error) {
    if (error instanceof AiosError) return error.code;
    throw error;
  }
}

describe.each(ANCHORS)("openContained by %s", (anchor) => {
  it("reads a file in folders, and takes what is missing for nothing", async () => {
    await using folder = createAios({ "a/b/note.md": "grüß\u{1f30a}\r\n" });
    using reader = open(folder.path, { anchor });
    expect(reader.read("a/b/note.md", shelf)?.text).toBe("grüß\u{1f30a}\r\n");
    for (const path of ["a/b/none.md", "a/none/note.md", "none/b/note.md"])
      expect(reader.read(path, shelf)).toBeUndefined();
    expect(reader.list("none", shelf)).toBeUndefined();
    reader.verify();
  });

  it("keeps a byte order mark and any other byte of a text", async () => {
    await using folder = createAios({ "note.md": "\ufeff\u0000text" });
    expect(readText(folder.path, "note.md", { anchor })).toBe("\ufeff\u0000text");
  });

  it("reads the head of a longer file alone, whole characters of it, and counts no more", async () => {
    await using folder = createAios({
      "note.md": Buffer.from([...Buffer.from("ab\u{1f30a}c"), 0xff]),
    });
    using reader = open(folder.path, { anchor, maxima: { bytes: 2 + 5 + 6 } });
    const texts = [2, 5, 6].map((head) => reader.read("note.md", { ...shelf, head })?.text);
    expect(texts).toEqual(["ab", "ab", "ab\u{1f30a}"]);
    expect(() => reader.read("note.md", { ...shelf, head: 1 })).toThrow("13 bytes in one call");
    expect(readText(folder.path, "note.md", { anchor })).toBe("SOURCE_NOT_UTF8");
  });

  it("lists entries by name with their kinds, without following links", async () => {
    await using folder = createAios({ "d/b.md": "", "d/a/x": "" });
    symlinkSync("a", join(folder.path, "d/link"));
    makePipe(join(folder.path, "d/pipe"));
    using reader = open(folder.path, { anchor });
    expect(reader.list("d", shelf)).toEqual([
      { name: "a", kind: "folder" },
      { name: "b.md", kind: "file" },
      { name: "link", kind: "link" },
      { name: "pipe", kind: "other" },
    ]);
  });

  it("[S21] follows no link below the folder, whether it leads inside or outside", async () => {
    await using outside = createTempFolder();
    writeFiles(outside.path, { "secret.md": "secret" });
    await using folder = createAios({ "real/note.md": "inside" });
    symlinkSync(join(outside.path, "secret.md"), join(folder.path, "out.md"));
    symlinkSync("real/note.md", join(folder.path, "in.md"));
    symlinkSync(outside.path, join(folder.path, "away"));
    symlinkSync("real", join(folder.path, "near"));
    for (const path of ["out.md", "in.md", "away/secret.md", "near/note.md"])
      expect(readText(folder.path, path, { anchor })).toBe("SOURCE_LINKED");
    using reader = open(folder.path, { anchor });
    expect(() => reader.list("away", shelf)).toThrow(
      expect.objectContaining({ code: "SOURCE_LINKED" }),
    );
  });

  it("[S21] may be reached through one link that stays as it is", async () => {
    await using folder = createAios({ "note.md": "text" });
    await using place = createTempFolder();
    const link = join(place.path, "aios");
    symlinkSync(folder.path, link);
    expect(readText(link, "note.md", { anchor })).toBe("text");

    await using other = createAios({ "note.md": "other" });
    using reader = open(link, { anchor });
    reader.read("note.md", shelf);
    rmSync(link);
    symlinkSync(other.path, link);
    expect(() => reader.verify()).toThrow(expect.objectContaining({ code: "SOURCE_CHANGED" }));
  });

  it("[S21] refuses what is no regular file without opening it", async () => {
    await using folder = createAios({ "file/x": "" });
    makePipe(join(folder.path, "pipe"));
    const listener = createServer().listen(join(folder.path, "socket"));
    await once(listener, "listening");
    const opened: DiskCall[] = [];
    const disk = watchedDisk((call) => void (call.method === "openFile" && opened.push(call)));
    expect(readText(folder.path, "pipe", { anchor, disk })).toBe("SOURCE_NOT_REGULAR");
    expect(readText(folder.path, "socket", { anchor, disk })).toBe("SOURCE_NOT_REGULAR");
    listener.close();
    expect(readText(folder.path, "file", { anchor, disk })).toBe("SOURCE_NOT_REGULAR");
    expect(readText(folder.path, "file/x/below", { anchor, disk })).toBe("SOURCE_NOT_REGULAR");
    expect(opened).toEqual([]);
  });

  it.each(["", "/", "../x", "a/../x", "./x", "a//b", "/etc/passwd", "a\\b", "a\u0000b"])(
    "[S21] refuses the path %j before it looks",
    async (path) => {
      await using folder = createAios();
      expect(readText(folder.path, path, { anchor })).toBe("SOURCE_PATH_UNSAFE");
    },
  );

  it("refuses a path deeper than its limit", async () => {
    await using folder = createAios();
    const [under, on, over] = edges(limits.maxPathDepth).map((depth) =>
      readText(folder.path, Array(depth).fill("a").join("/"), { anchor }),
    );
    expect([under, on, over]).toEqual([undefined, undefined, "SOURCE_PATH_UNSAFE"]);
  });

  it("[S21] refuses bytes that are not UTF-8", async () => {
    await using folder = createAios({
      "lone.md": Buffer.from([0x61, 0x80]),
      "cut.md": Buffer.from([0xe2, 0x82]),
      "surrogate.md": Buffer.from([0xed, 0xa0, 0x80]),
    });
    for (const path of ["lone.md", "cut.md", "surrogate.md"])
      expect(readText(folder.path, path, { anchor })).toBe("SOURCE_NOT_UTF8");
  });

  it("needs a folder with an aios.json that is a regular file", async () => {
    await using folder = createTempFolder();
    const code = () => readText(folder.path, "note.md", { anchor });
    expect(code()).toBe("FOLDER_NOT_AIOS");
    symlinkSync("/dev/null", join(folder.path, "aios.json"));
    expect(code()).toBe("SOURCE_LINKED");
    rmSync(join(folder.path, "aios.json"));
    mkdirSync(join(folder.path, "aios.json"));
    expect(code()).toBe("SOURCE_NOT_REGULAR");
    expect(readText(join(folder.path, "none"), "note.md", { anchor })).toBe("FOLDER_NOT_AIOS");
    writeFileSync(join(folder.path, "file"), "");
    expect(readText(join(folder.path, "file"), "note.md", { anchor })).toBe("FOLDER_NOT_AIOS");
  });

  it("says that the system refused, and keeps what it said inside", async () => {
    await using folder = createAios({ "note.md": "text" });
    const refusal = Object.assign(new Error(`EACCES: ${folder.path}`), {
      code: "EACCES",
      syscall: "open",
    });
    const disk = watchedDisk(({ method }) => {
      if (method === "openFile") throw refusal;
    });
    using reader = open(folder.path, { anchor, disk });
    expect(() => reader.read("note.md", shelf)).toThrow(
      expect.objectContaining({
        code: "SOURCE_UNREADABLE",
        message:
          "Cannot read the note, because the system refused; check its permissions and the limit of open files",
        cause: refusal,
      }),
    );
  });

  it("[S7] accepts a file of exactly its limit and names the limit that one byte more crosses", async () => {
    await using folder = createAios();
    const texts = edges(shelf.maximum).map((size) => {
      writeFiles(folder.path, { "note.md": "x".repeat(size) });
      return readText(folder.path, "note.md", { anchor });
    });
    expect(texts).toEqual(["x".repeat(63), "x".repeat(64), "SOURCE_LIMIT"]);
    using reader = open(folder.path, { anchor });
    expect(() => reader.read("note.md", shelf)).toThrow(
      expect.objectContaining({
        message:
          "Stopped at the note, because at most 64 bytes in this file are read; make it smaller",
        cause: new LimitError("fileBytes", 64, 65),
      }),
    );
  });

  it("[S7] meters bytes, files and entries of all reads together", async () => {
    await using folder = createAios({ "a.md": "12345", "b.md": "12345", "d/x": "", "d/y": "" });
    const codes = (maxima: Opening["maxima"]) => {
      try {
        using reader = open(folder.path, { anchor, ...(maxima && { maxima }) });
        reader.read("a.md", shelf);
        reader.list("d", shelf);
        reader.read("b.md", shelf);
        return "read";
      } catch (error) {
        return ((error as AiosError).cause as LimitError).limit;
      }
    };
    expect([codes({ bytes: 10 }), codes({ bytes: 9 })]).toEqual(["read", "bytes"]);
    expect([codes({ files: 2 }), codes({ files: 1 })]).toEqual(["read", "files"]);
    expect([codes({ entries: 2 }), codes({ entries: 1 })]).toEqual(["read", "entries"]);
  });

  it("[S7] stops listing at the first entry over the folder's limit", async () => {
    await using folder = createAios();
    const counts = edges(5).map((count) => {
      for (let at = 0; at < count; at++) writeFiles(folder.path, { [`d/${at}`]: "" });
      using reader = open(folder.path, { anchor });
      try {
        return reader.list("d", { source: "the folder", maximum: 5 })?.length;
      } catch (error) {
        return ((error as AiosError).cause as LimitError).actual;
      }
    });
    expect(counts).toEqual([4, 5, 6]);
  });

  it("closes every descriptor, however the call ends", async () => {
    const descriptors = () => readdirSync("/proc/self/fd").length;
    await using folder = createAios({ "a/b/note.md": "text", "a/bad.md": Buffer.from([0xff]) });
    symlinkSync("b", join(folder.path, "a/link"));
    const before = descriptors();
    for (const path of ["a/b/note.md", "a/none.md", "a/bad.md", "a/link/note.md", "../x"])
      readText(folder.path, path, { anchor });
    rmSync(join(folder.path, "aios.json"));
    readText(folder.path, "a/b/note.md", { anchor });
    expect(descriptors()).toBe(before);
  });

  it("cannot be used once it is closed", async () => {
    await using folder = createAios({ "note.md": "text" });
    const reader = open(folder.path, { anchor });
    reader[Symbol.dispose]();
    expect(() => reader.read("note.md", shelf)).toThrow("after it was closed");
  });

  it("holds few folders open at once and still sees the old ones unchanged", async () => {
    const count = 3 * limits.maxOpenFolders;
    const paths = Array.from({ length: count }, (_, at) => `d/${at}/note.md`);
    await using folder = createAios(Object.fromEntries(paths.map((path) => [path, path])));
    const before = readdirSync("/proc/self/fd").length;
    using reader = open(folder.path, { anchor, maxima: { bytes: 10_000, files: count } });
    for (const path of paths) expect(reader.read(path, shelf)?.text).toBe(path);
    expect(readdirSync("/proc/self/fd").length - before).toBeLessThanOrEqual(
      limits.maxOpenFolders + 1,
    );
    reader.verify();
    waitForTick(join(folder.path, "d/0"));
    writeFiles(folder.path, { "d/0/new.md": "" });
    expect(() => reader.verify()).toThrow(expect.objectContaining({ code: "SOURCE_CHANGED" }));
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

describe.each(ANCHORS)("a file that is changed while it is read by %s", (anchor) => {
  const original = "original";

  it.each(Object.keys(meddlings))("[S21] is refused when it is %s, at every step", async (name) => {
    const steps = await countSteps(anchor);
    const outcomes: (string | undefined)[] = [];
    for (let step = 0; step < steps.all; step++) {
      await using outside = createTempFolder();
      writeFiles(outside.path, { "d/note.md": "a secret" });
      await using folder = createAios({ "d/note.md": original });
      waitForTick(join(folder.path, "d/note.md"));
      let at = 0;
      const disk = watchedDisk(() => {
        if (at++ === step) meddlings[name]!(folder.path, outside.path);
      });
      outcomes.push(readText(folder.path, "d/note.md", { anchor, disk }));
    }
    expect(outcomes.join()).not.toContain("secret");
    // Between the first look at the file and the last nothing can happen unseen.
    const between = outcomes.slice(steps.firstLook + 1, steps.lastLook + 1);
    expect(between.length).toBeGreaterThan(5);
    for (const outcome of between) expect(outcome).toMatch(/^SOURCE_(CHANGED|LINKED|NOT_REGULAR)$/);
    // After the last look the old text is as true as it was at that moment.
    for (const outcome of outcomes.slice(steps.lastLook + 1))
      expect([original, "SOURCE_CHANGED", "SOURCE_LINKED"]).toContain(outcome);
  });

  async function countSteps(by: Anchor) {
    await using folder = createAios({ "d/note.md": original });
    const calls: DiskCall[] = [];
    const disk = watchedDisk((call) => void calls.push(call));
    expect(readText(folder.path, "d/note.md", { anchor: by, disk })).toBe(original);
    const isLook = ({ method, subject }: DiskCall) =>
      method === "lstat" && String(subject).endsWith("/note.md");
    return {
      all: calls.length,
      firstLook: calls.findIndex(isLook),
      lastLook: calls.findLastIndex(isLook),
    };
  }
});

describe("namesOf", () => {
  it.each([
    "note.md:hidden",
    "C:/x",
    "memory./x",
    "memory /x",
    "...",
    "NUL",
    "con.md",
    "d/Aux .md",
    "com1",
    "LPT¹.txt",
    "CONOUT$",
  ])("[S21] refuses %j on Windows, which reads it as another name", (path) => {
    const unsafe = expect.objectContaining({ code: "SOURCE_PATH_UNSAFE" });
    expect(() => namesOf(path, "a file", "win32")).toThrow(unsafe);
    for (const platform of ["linux", "darwin"] as const)
      expect(namesOf(path, "a file", platform).join("/")).toBe(path);
  });

  it.each(["a.md", ".git", "a b/c.d", "console.md", "nullable", "com10", "2026-01-02.jsonl"])(
    "[S21] takes %j everywhere",
    (path) => {
      for (const platform of ["win32", "linux", "darwin"] as const)
        expect(namesOf(path, "a file", platform).join("/")).toBe(path);
    },
  );
});
