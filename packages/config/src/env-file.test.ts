import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseEnvFile, readEnvFile } from "./env-file.ts";

const parse = (text: string | Uint8Array) => parseEnvFile(text, "t.env");

describe("parseEnvFile", () => {
  it("[G13] reads literal NAME=value lines: nothing is expanded, unquoted or trimmed", () => {
    expect(parse('A=1\nB="quoted"\nC=$HOME ${HOME}\nD= x \nE=a=b#c\nF=\n')).toEqual({
      A: "1",
      B: '"quoted"',
      C: "$HOME ${HOME}",
      D: " x ",
      E: "a=b#c",
      F: "",
    });
  });

  it("[C3] skips blank lines and comments, and accepts CRLF, a byte order mark and no last line end", () => {
    expect(parse("\uFEFF# c\r\n\r\n  # indented\r\n \t\r\nA=1\r\nB=2")).toEqual({ A: "1", B: "2" });
    expect(parse(Buffer.from("\uFEFFA=é"))).toEqual({ A: "é" });
    expect(parse("")).toEqual({});
  });

  it.each([
    ["A=1\ncanary", "t.env:2:1: must read NAME=value"],
    ["export A=canary", "t.env:1:1: must read NAME=value without export; no shell reads it"],
    ["A =canary", "t.env:1:1: must begin with a name of letters, digits and underscores"],
    [" A=canary", "t.env:1:1: must begin with a name"],
    ["1A=canary", "t.env:1:1: must begin with a name"],
    ["=canary", "t.env:1:1: must begin with a name"],
    ["canary-x=1", "t.env:1:1: must begin with a name"],
    ["__proto__=1", "t.env:1:1: must begin with a name"],
    ["A=1\nB=2\nA=canary", "t.env:3:1 A: this name stands twice; keep one"],
    ["A=can\0ary", "t.env:1:1 A: holds a NUL, which no variable can"],
  ])("[C3] refuses %j with its line, and shows none of it", (text, message) => {
    expect(() => parse(text)).toThrow(message);
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("canary") }),
    );
  });

  it("[C1] refuses bytes that are not UTF-8", () => {
    expect(() => parse(Buffer.from([0x41, 0x3d, 0xff]))).toThrow("t.env:1:3: is not UTF-8");
  });
});

describe.skipIf(process.platform === "win32")("readEnvFile", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "config-env-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const write = (name: string, text: string, mode: number) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };

  it.each([0o600, 0o400, 0o700])(
    "[G13] reads a file of mode %i that is its owner's alone",
    (mode) => {
      expect(readEnvFile(write(`own${mode}`, "A=1", mode))).toEqual({ A: "1" });
    },
  );

  it.each([0o640, 0o604, 0o620, 0o602, 0o610, 0o644, 0o666])(
    "[G13] refuses mode %i with the chmod that helps",
    (mode) => {
      const path = write(`open${mode}`, "A=canary", mode);
      expect(() => readEnvFile(path)).toThrow(
        `${path}: can be used by others (mode 0${mode.toString(8)}) but holds secrets; run chmod 600 on it`,
      );
      expect(readEnvFile(path, { platform: "win32" })).toEqual({ A: "canary" });
    },
  );

  it("[C1] bounds the file: n bytes are read, n + 1 are not", () => {
    const path = write("size", "A=12345", 0o600);
    expect(readEnvFile(path, { maxBytes: 7 })).toEqual({ A: "12345" });
    expect(() => readEnvFile(path, { maxBytes: 6 })).toThrow(
      `${path}: is too large: at most 6 bytes are read`,
    );
  });

  it("[G13] names a file that is missing", () => {
    const path = join(folder, "absent");
    expect(() => readEnvFile(path)).toThrow(`${path}: does not exist`);
  });
});
