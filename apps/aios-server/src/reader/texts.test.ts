import { describe, expect, it } from "vitest";
import { blockOf } from "../../test/block.ts";
import { createTexts, type FindNext } from "./texts.ts";

const findTide: FindNext = ({ text, folded }, from) => (folded ?? text).indexOf("tide", from);
const nameOf = (at: number) => `${at}.md`;

function filled(...blocks: readonly (readonly string[])[]) {
  const table = createTexts();
  for (const texts of blocks)
    table.add(
      texts.map((_, at) => nameOf(table.length + at)),
      blockOf(texts),
    );
  return table;
}

describe("createTexts", () => {
  it("gives back each text of each block, and for what is not ASCII the form in which it is compared", () => {
    const table = filled(["Tide", "", "x\ny"], ["Café", "\u{1f30a}", "x"]);
    expect([0, 1, 2, 3, 4, 5].map((row) => table.textOf(row))).toEqual([
      { text: "Tide", folded: undefined },
      { text: "", folded: undefined },
      { text: "x\ny", folded: undefined },
      { text: "Café", folded: "cafe" },
      { text: "\u{1f30a}", folded: "\u{1f30a}" },
      { text: "x", folded: "x" },
    ]);
  });

  it("finds the rows that hold something, each once, and at worst one more where two meet", () => {
    expect([...filled(["tide tide", "x", "a tide"]).find(findTide)]).toEqual([0, 2]);
    expect([...filled(["é", "tidé", "x"]).find(findTide)]).toEqual([1]);
    expect([...filled(["ti", "de tide"]).find(findTide)]).toEqual([0, 1]);
    expect([...filled(["x"], ["tide"], ["é tide"]).find(findTide)]).toEqual([1, 2]);
  });

  it("knows the rows of names in any order, with the bytes of all of them, or of none", () => {
    const table = filled(["abc", "é"], ["x"]);
    const names = ["0.md", "1.md", "2.md"];
    expect(table.rowsOf(names)).toEqual({ rows: [0, 1, 2], size: 6 });
    expect(table.rowsOf(names)).toBe(table.rowsOf(names));
    expect(table.rowsOf(names.toReversed())).toEqual({ rows: [2, 1, 0], size: 6 });
    expect(table.rowsOf(["1.md"])).toEqual({ rows: [1], size: 2 });
    expect(table.rowsOf([...names, "3.md"])).toBeUndefined();
  });

  it("forgets a file and keeps its row, and counts what is forgotten", () => {
    const table = filled(["abcd", "ef"]);
    const names = ["0.md", "1.md"];
    table.rowsOf(names);
    table.forget("0.md");
    table.forget("none.md");
    expect([table.rowOf("0.md"), table.rowOf("1.md"), table.length]).toEqual([undefined, 1, 2]);
    expect(table.rowsOf(names)).toBeUndefined();
    expect(table.textOf(0).text).toBe("abcd");
    expect([table.bytes, table.forgottenBytes]).toEqual([6, 4]);
    table.add(["0.md"], blockOf(["new"]));
    expect(table.textOf(table.rowOf("0.md")!).text).toBe("new");
    expect(table.rowsOf(names)).toEqual({ rows: [2, 1], size: 5 });
  });

  it("gives the stamps of any rows, from one block or from several", () => {
    const table = filled(["a", "bb", "ccc"], ["dddd", "eeeee"]);
    const sizesOf = (rows: readonly number[]) => {
      const stamps = table.stampsOf(rows);
      return rows.map((_, at) => Number(stamps[(stamps.length / rows.length) * at]));
    };
    for (const rows of [
      [0, 1, 2, 3, 4],
      [4, 1, 2],
      [2, 3],
      [0, 0],
    ])
      expect(sizesOf(rows)).toEqual(rows.map((row) => row + 1));
    expect(table.stampsOf([])).toHaveLength(0);
  });
});
