import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { credentialRules } from "../src/index.ts";

const readme = readFileSync(fileURLToPath(new URL("../README.md", import.meta.url)), "utf8");

describe("the README", () => {
  it("[A8] has the credential rules of the code, with their hits and misses", () => {
    const between = /<!-- credential rules: begin -->(.*)<!-- credential rules: end -->/s;
    const rows = between.exec(readme)![1]!.trim().split("\n").slice(2).map(cellsOf);
    const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
    expect(rows).toEqual(
      credentialRules.map(({ match, scope, reason, hits, misses }) => [
        code([match]),
        scope,
        reason,
        code(hits),
        code(misses),
      ]),
    );
  });
});

function cellsOf(row: string): string[] {
  return row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}
