import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseDocument, readDocument } from "./document.ts";
import { readJsonDocument } from "./json-document.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "config-document-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

describe("readDocument", () => {
  it("[C1] reads both formats and names the file by its path", () => {
    const json = readDocument(write("a.json", '{"a":1}'), { format: "json" });
    const yaml = readDocument(write("a.yaml", "a: 1"), { format: "yaml" });
    expect(json.value).toEqual({ a: 1 });
    expect(yaml.value).toEqual({ a: 1 });
    expect(json.file).toBe(join(folder, "a.json"));
    expect(readJsonDocument(join(folder, "a.json")).value).toEqual({ a: 1 });
  });

  it("[C1] gives errors of reading the same form as errors of the text", () => {
    const path = write("bad.json", "{\n");
    expect(() => readDocument(path, { format: "json" })).toThrow(`${path}:2:1: is not valid JSON`);
    expect(() => readDocument(join(folder, "none"), { format: "yaml" })).toThrow(
      `${join(folder, "none")}: does not exist`,
    );
    expect(() => readDocument(path, { format: "json", limits: { maxBytes: 1 } })).toThrow(
      `${path}: is too large: at most 1 bytes are read`,
    );
  });
});

describe("parseDocument", () => {
  it("[C1] bounds a text by its UTF-8 bytes", () => {
    const parse = (text: string | Uint8Array) =>
      parseDocument(text, { file: "f", format: "json", limits: { maxBytes: 4 } });
    expect(parse('"é"').value).toBe("é");
    expect(() => parse('"éé"')).toThrow("f: is too large: at most 4 bytes are read");
    expect(() => parse(Buffer.from('"éé"'))).toThrow("f: is too large");
  });

  it("[A5] can keep the faults of single keys, with their paths, and the first of repeated values", () => {
    for (const [format, text] of [
      ["json", '{"a": 1, "b": {"c": 1, "c": 2}, "a": 2}'],
      ["yaml", "a: 1\nb: {c: 1, c: 2}\na: 2"],
    ] as const) {
      const document = parseDocument(text, { file: "f", format, faults: "keep" });
      expect(document.value).toEqual({ a: 1, b: { c: 1 } });
      expect(document.faults.map(({ code, path }) => [code, path])).toEqual([
        ["DUPLICATE_KEY", ["b", "c"]],
        ["DUPLICATE_KEY", ["a"]],
      ]);
    }
  });

  it("[C1] never lets a key reach a prototype, kept faults or not", () => {
    for (const [format, text] of [
      ["json", '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}'],
      ["yaml", "__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}"],
    ] as const) {
      const options = { file: "f", format } as const;
      expect(() => parseDocument(text, options)).toThrow("__proto__: this key is not allowed");
      const { value } = parseDocument(text, { ...options, faults: "keep" });
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
      expect({}).not.toHaveProperty("polluted");
    }
  });
});
