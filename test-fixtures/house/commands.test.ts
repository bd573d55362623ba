import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "../src/index.ts";
import { commandPaths, help, termsOf } from "./help.ts";
import { firstCells } from "./table.ts";

const page = readFileSync(join(repository, "docs", "commands.md"), "utf8");
const PROGRAMS = ["travis234-mcp-adapter", "wraptool", "dotaios-mcp"];

/** Arguments and flags of a command as its help names them, but for the flag that shows that help. */
const ownTerms = (text: string): string[] =>
  [...termsOf(text, "Arguments"), ...termsOf(text, "Options")].filter(
    (term) => !term.endsWith("--help"),
  );

const sectionOf = (program: string): string =>
  page.split(/^## /m).find((text) => text.startsWith(`${program}\n`)) ?? "";

describe.each(PROGRAMS)("docs/commands.md, %s", (program) => {
  it("has every command, and no other", async () => {
    const paths = await commandPaths(program);
    const named = [...sectionOf(program).matchAll(/^### `(.*)`$/gm)].map(([, name]) => name);
    const expected = paths.slice(1).map((path) => [program, ...path].join(" "));
    expect(named.toSorted()).toEqual(expected.toSorted());
  });

  it("has the arguments and flags of each command, and no others", async () => {
    const [, ...paths] = await commandPaths(program);
    for (const path of paths) {
      const command = [program, ...path].join(" ");
      const terms = ownTerms(await help(program, path));
      expect(firstCells(page, `\`${command}\``).toSorted(), command).toEqual(terms.toSorted());
    }
  });

  it("has the flags that all of its commands take, and no others", async () => {
    const terms = termsOf(await help(program, []), "Options");
    expect(firstCells(page, program).toSorted()).toEqual(terms.toSorted());
  });
});
