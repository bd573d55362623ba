import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "../src/index.ts";
import { tableBelow } from "./table.ts";

const page = readFileSync(join(repository, "docs", "limits.md"), "utf8");
const KIB = 1024;
const MIB = KIB * KIB;
const count = (value: number) => value.toLocaleString("en-US");

/** How the page writes a limit: by the unit that its name ends with. */
function written(name: string, value: string | number): string {
  if (typeof value === "string") return `\`${value}\``;
  if (/(Bytes|_BYTES)$/.test(name)) {
    if (value % MIB === 0) return `${value / MIB} MiB`;
    if (value % KIB === 0) return `${value / KIB} KiB`;
  }
  if (!/(Ms|_MS)$/.test(name)) return count(value);
  if (value % 60_000 === 0) return `${value / 60_000} min`;
  return value % 1_000 === 0 ? `${value / 1_000} s` : `${count(value)} ms`;
}

describe("docs/limits.md", () => {
  it.each([
    ["travis234-mcp-adapter", "travis-adapter"],
    ["wraptool", "gateway"],
    ["dotaios-mcp", "aios-server"],
  ])("has each limit of %s with its value, and no other", async (program, app) => {
    const source = await import(/* @vite-ignore */ join(repository, `apps/${app}/src/limits.ts`));
    const limits = Object.entries<string | number>(source.limits ?? { ...source });
    expect(limits.length).toBeGreaterThan(40);
    const rows = tableBelow(page, program).map(([name, value]) => [name, value]);
    const expected = limits.map(([name, value]) => [`\`${name}\``, written(name, value)]);
    expect(rows.toSorted()).toEqual(expected.toSorted());
  });

  it("says of every limit what it bounds", () => {
    const rows = page.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows.filter((row) => /\|\s*\|/.test(row))).toEqual([]);
  });
});
