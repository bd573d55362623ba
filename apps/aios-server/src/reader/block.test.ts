import { statSync } from "node:fs";
import { join } from "node:path";
import { MIB } from "@core/bounds";
import { describe, expect, it } from "vitest";
import { blockOf, statusOf } from "../../test/block.ts";
import { createAios, waitForTick, writeFiles } from "../../test/folder.ts";
import {
  bytesAt,
  bytesOf,
  changedNsAt,
  countFiles,
  createBlockReader,
  isSameAt,
  modifiedAt,
  sizeAt,
} from "./block.ts";
import { nodeDisk } from "./disk.ts";

const SOURCE = "a file";
const all = () => true;

describe("createBlockReader", () => {
  it("tells a file in the same state from one in any other", async () => {
    await using folder = createAios({ "a.md": "text" });
    const path = join(folder.path, "a.md");
    const reader = createBlockReader(nodeDisk, String);
    reader.read(path, SOURCE, all);
    const { stamps } = reader.finish(SOURCE);
    const before = statSync(path, { bigint: true });
    expect(isSameAt(stamps, 0, before)).toBe(true);
    expect([sizeAt(stamps, 0), changedNsAt(stamps, 0)]).toEqual([4, before.ctimeNs]);
    expect(modifiedAt(stamps, 0)).toBe(Number(before.mtimeMs));
    waitForTick(path);
    writeFiles(folder.path, { "a.md": "TEXT" });
    expect(isSameAt(stamps, 0, statSync(path, { bigint: true }))).toBe(false);
    for (const field of ["dev", "ino", "mode", "nlink", "size", "mtimeNs", "ctimeNs"] as const)
      expect(isSameAt(stamps, 0, { ...before, [field]: before[field] + 1n })).toBe(false);
  });

  it("is full after a MiB or after 256 files, and empty once a block is made or dropped", async () => {
    await using folder = createAios({ big: "x".repeat(MIB), small: "" });
    const reader = createBlockReader(nodeDisk, String);
    const read = (name: string) => reader.read(join(folder.path, name), SOURCE, all);
    for (let count = 0; count < 256; count++) {
      expect(reader.isFull).toBe(false);
      read("small");
    }
    expect(reader.isFull).toBe(true);
    expect(countFiles(reader.finish(SOURCE))).toBe(256);
    read("big");
    expect([reader.isFull, reader.length]).toEqual([true, 1]);
    reader.drop();
    expect([reader.isFull, reader.length]).toEqual([false, 0]);
  });

  it("adds nothing of a file that is not admitted or that fails", async () => {
    await using folder = createAios({ a: "a", b: "b" });
    const reader = createBlockReader(nodeDisk, String);
    expect(reader.read(join(folder.path, "a"), SOURCE, () => false)).toBe(false);
    expect(() => reader.read(folder.path, SOURCE, all)).toThrow("not a regular file");
    expect(reader.read(join(folder.path, "b"), SOURCE, all)).toBe(true);
    const block = reader.finish(SOURCE);
    expect([countFiles(block), Buffer.from(block.text.bytes).toString()]).toEqual([1, "b"]);
  });

  it("counts one byte a character for ASCII, and two for each of both forms of anything else", () => {
    const ascii = blockOf(["abc", "d"]);
    expect([bytesOf(ascii), bytesAt(ascii, 0), bytesAt(ascii, 1)]).toEqual([4, 3, 1]);
    const other = blockOf(["abé", "d"]);
    expect([bytesOf(other), bytesAt(other, 0), bytesAt(other, 1)]).toEqual([16, 12, 4]);
  });

  it("keeps bytes in memory of their own, so that they can be handed to another thread", () => {
    for (const { text, stamps } of [blockOf(["abc"]), blockOf(["é"])]) {
      expect(text.bytes.buffer.byteLength).toBe(text.bytes.length);
      expect(stamps.buffer.byteLength).toBe(stamps.byteLength);
    }
    expect(statusOf(3).isFile()).toBe(true);
  });
});
