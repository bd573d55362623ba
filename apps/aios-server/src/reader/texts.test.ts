import { statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createAios, waitForTick, writeFiles } from "../../test/folder.ts";
import { createTexts, type FindNext } from "./texts.ts";

const fold = (text: string) => text.toLowerCase().replaceAll("é", "e");
const findTide: FindNext = ({ text, folded }, from) => (folded ?? text).indexOf("tide", from);
const status = statSync(import.meta.dirname ?? ".", { bigint: true });

function filled(texts: readonly string[], isAscii: boolean) {
  const table = createTexts();
  for (const at of texts.keys()) table.addRow(`${at}.md`, status);
  if (!isAscii) table.addTexts(texts, fold);
  else {
    let end = 0;
    const ends = texts.map(({ length }) => {
      end += length;
      return end;
    });
    table.addAscii(Buffer.from(texts.join("")), ends);
  }
  return table;
}

describe("createTexts", () => {
  it("gives back each text, and for what is not ASCII the form in which it is compared", () => {
    const ascii = filled(["Tide", "", "x\ny"], true);
    expect([0, 1, 2].map((row) => ascii.textOf(row))).toEqual([
      { text: "Tide", folded: undefined },
      { text: "", folded: undefined },
      { text: "x\ny", folded: undefined },
    ]);
    const other = filled(["Café", "\u{1f30a}", "x"], false);
    expect([0, 1, 2].map((row) => other.textOf(row))).toEqual([
      { text: "Café", folded: "cafe" },
      { text: "\u{1f30a}", folded: "\u{1f30a}" },
      { text: "x", folded: "x" },
    ]);
  });

  it("finds the rows that hold something, each once, and at worst one more where two meet", () => {
    expect([...filled(["tide tide", "x", "a tide"], true).find(findTide)]).toEqual([0, 2]);
    expect([...filled(["é", "tidé", "x"], false).find(findTide)]).toEqual([1]);
    expect([...filled(["ti", "de tide"], true).find(findTide)]).toEqual([0, 1]);
  });

  it("forgets a file and keeps its row, and counts what is forgotten", () => {
    const table = filled(["abcd", "ef"], true);
    table.forget("0.md");
    table.forget("none.md");
    expect([table.rowOf("0.md"), table.rowOf("1.md"), table.length]).toEqual([undefined, 1, 2]);
    expect(table.textOf(0).text).toBe("abcd");
    expect([table.bytes, table.forgottenBytes]).toEqual([6, 4]);
    table.addRow("0.md", status);
    table.addAscii(Buffer.from("new"), [3]);
    expect(table.textOf(table.rowOf("0.md")!).text).toBe("new");
  });

  it("tells a file in the same state from one in any other", async () => {
    await using folder = createAios({ "a.md": "text" });
    const path = `${folder.path}/a.md`;
    const table = createTexts();
    const before = statSync(path, { bigint: true });
    const row = table.addRow("a.md", before);
    table.addAscii(Buffer.from("text"), [4]);
    expect(table.isSame(row, statSync(path, { bigint: true }))).toBe(true);
    expect(table.sizeOf(row)).toBe(4);
    expect(table.modifiedAt(row)).toBe(Number(before.mtimeMs));
    waitForTick(path);
    writeFiles(folder.path, { "a.md": "TEXT" });
    expect(table.isSame(row, statSync(path, { bigint: true }))).toBe(false);
    for (const field of ["dev", "ino", "mode", "nlink", "size", "mtimeNs", "ctimeNs"] as const)
      expect(table.isSame(row, { ...before, [field]: before[field] + 1n })).toBe(false);
  });

  it("holds any number of rows", () => {
    const texts = Array.from({ length: 100 }, (_, at) => `${at}`);
    const table = filled(texts, true);
    expect(texts.map((_, at) => table.textOf(at).text)).toEqual(texts);
    expect(table.isSame(99, status)).toBe(true);
  });
});
