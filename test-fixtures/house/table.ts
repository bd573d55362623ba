/** The rows of the first table below a heading of a page, as the texts of their cells. */
export function tableBelow(page: string, heading: string): string[][] {
  const section = page.split(/^#{2,3} /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const [table = ""] = /(?:^\|.*\n)+/m.exec(section) ?? [];
  const [, , ...rows] = table.split("\n").filter((line) => line !== "");
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

/** The first cells of such a table, without the marks of code. */
export const firstCells = (page: string, heading: string): string[] =>
  tableBelow(page, heading).map(([cell = ""]) => cell.replaceAll("`", ""));
