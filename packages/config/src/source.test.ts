import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeSource, readBytes, readSource } from "./source.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "config-source-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

describe("readSource", () => {
  it("[C1] reads a regular file, also through a link, without its byte order mark", () => {
    const path = write("plain", "\uFEFF{}");
    const link = join(folder, "link");
    symlinkSync(path, link);
    expect(readSource(path)).toBe("{}");
    expect(readSource(link)).toBe("{}");
    expect(readBytes(write("empty", ""))).toHaveLength(0);
  });

  it("[C1] reads n bytes of a maximum of n and refuses n + 1", () => {
    for (const size of [99, 100])
      expect(readSource(write("n", "x".repeat(size)), { maxBytes: 100 })).toHaveLength(size);
    const path = write("n", "x".repeat(101));
    expect(() => readSource(path, { maxBytes: 100 })).toThrow(
      `${path}: is too large: at most 100 bytes are read`,
    );
  });

  it("[C1] reads 1 MiB by default and not a byte more", () => {
    const mebibyte = 1_048_576;
    expect(readBytes(write("full", "x".repeat(mebibyte)))).toHaveLength(mebibyte);
    const path = write("over", "x".repeat(mebibyte + 1));
    expect(() => readBytes(path)).toThrow(
      expect.objectContaining({ code: "TOO_LARGE", file: path }),
    );
  });

  it.skipIf(process.platform !== "linux")(
    "[C1] bounds a file whose size is not known before",
    () => {
      expect(readSource("/proc/self/status")).toContain("Pid:");
      expect(() => readSource("/proc/self/status", { maxBytes: 10 })).toThrow("is too large");
    },
  );

  it("[C1] says that a file is missing, a folder, or cannot be read", () => {
    const absent = join(folder, "absent");
    expect(() => readSource(absent)).toThrow(
      expect.objectContaining({ code: "NOT_FOUND", message: `${absent}: does not exist` }),
    );
    expect(() => readSource(folder)).toThrow(
      expect.objectContaining({
        code: "NOT_A_FILE",
        message: `${folder}: is a folder; it must be a regular file`,
      }),
    );
    const loop = join(folder, "loop");
    symlinkSync(loop, loop);
    expect(() => readSource(loop)).toThrow(
      expect.objectContaining({ code: "UNREADABLE", message: `${loop}: cannot be read (ELOOP)` }),
    );
    expect(() => readSource("a\0b")).toThrow(
      expect.objectContaining({
        code: "UNREADABLE",
        message: "a�b: cannot be read (ERR_INVALID_ARG_VALUE)",
      }),
    );
  });

  it.skipIf(process.platform === "win32")(
    "[C1] refuses a FIFO without waiting for a writer, also behind a link",
    () => {
      const fifo = join(folder, "fifo");
      execFileSync("mkfifo", [fifo]);
      const link = join(folder, "to-fifo");
      symlinkSync(fifo, link);
      for (const path of [fifo, link])
        expect(() => readSource(path)).toThrow(`${path}: is a device, pipe or socket`);
    },
  );

  it.skipIf(process.platform === "win32")(
    "[C1] refuses devices that never end and sockets",
    async () => {
      for (const path of ["/dev/zero", "/dev/null"])
        expect(() => readSource(path)).toThrow(`${path}: is a device, pipe or socket`);
      const path = join(folder, "socket");
      const server = createServer().listen(path);
      await new Promise((resolve) => server.once("listening", resolve));
      try {
        expect(() => readSource(path)).toThrow("is a device, pipe or socket");
      } finally {
        await new Promise((resolve) => server.close(resolve));
      }
    },
  );

  it("[C1] names the folder in the way when a parent is not one", () => {
    const path = join(write("file", ""), "below");
    expect(() => readSource(path)).toThrow(`${path}: cannot be read (ENOTDIR)`);
    mkdirSync(join(folder, "sub"));
    expect(() => readSource(join(folder, "sub"))).toThrow("is a folder");
  });
});

describe("decodeSource", () => {
  it.each([
    [[0x7b, 0x0a, 0xff], "f:2:1"],
    [[0xff], "f:1:1"],
    [[0xc3, 0xa9, 0xc3], "f:1:2"],
    [[0x61, 0xed, 0xa0, 0x80], "f:1:2"],
    [[0xef, 0xbb, 0xbf, 0x61, 0xc0, 0x80], "f:1:2"],
    [[0x61, 0x0a, 0x62, 0xf0, 0x9f, 0x98], "f:2:2"],
  ])("[C1] refuses %j as no UTF-8, with the place", (bytes, place) => {
    expect(() => decodeSource(Uint8Array.from(bytes), "f")).toThrow(place);
    expect(() => decodeSource(Uint8Array.from(bytes), "f")).toThrow(
      "is not UTF-8; save the file as UTF-8",
    );
  });

  it("[C1] gives every text back as it was, without a first byte order mark", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const expected = text.startsWith("\uFEFF") ? text.slice(1) : text;
        expect(decodeSource(Buffer.from(text), "f")).toBe(expected);
        expect(decodeSource(text, "f")).toBe(expected);
      }),
    );
  });
});
