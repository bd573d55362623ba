import { type BigIntStats, constants, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { type Block, createBlockReader } from "../src/reader/block.ts";
import { type Disk, nodeDisk } from "../src/reader/disk.ts";

const folder = statSync(tmpdir(), { bigint: true });

/** What a look at a regular file of so many bytes sees. */
export function statusOf(size: number): BigIntStats {
  const mode = BigInt(constants.S_IFREG | 0o600);
  return Object.assign(Object.create(folder), { mode, size: BigInt(size) });
}

/** A disk on which the path of a file is its place in a list. */
const listDisk = (texts: readonly Buffer[]): Disk => ({
  ...nodeDisk,
  openFile: Number,
  fstat: (descriptor) => statusOf(texts[descriptor]!.length),
  read: (descriptor, buffer, offset) => {
    buffer.set(texts[descriptor]!, offset);
    return texts[descriptor]!.length;
  },
  close: () => {},
});

/** A block of files with these texts, all of which are compared in lower case and without é. */
export function blockOf(texts: readonly string[]): Block {
  const fold = (text: string) => text.toLowerCase().replaceAll("é", "e");
  const reader = createBlockReader(listDisk(texts.map((text) => Buffer.from(text))), fold);
  for (const at of texts.keys()) reader.read(String(at), "a file", () => true);
  return reader.finish("a file");
}
