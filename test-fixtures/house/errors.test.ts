import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "../src/index.ts";
import { sourceFiles } from "./sources.ts";
import { firstCells, tableBelow } from "./table.ts";

const read = (path: string) => readFileSync(join(repository, path), "utf8");
const load = (path: string) => import(/* @vite-ignore */ join(repository, path));
const page = read("docs/errors.md");

/** The members of a union of words, as its source writes them. */
function unionOf(path: string, type: string): string[] {
  const [, members = ""] = new RegExp(`^export type ${type} =([^;]*);`, "m").exec(read(path)) ?? [];
  return [...members.matchAll(/"(\w+)"/g)].map(([, code = ""]) => code);
}

/** The keys of a table of words that a module does not export. */
function keysOf(path: string, table: string): string[] {
  const [, body = ""] =
    new RegExp(`^const ${table} = [^{]*\\{\n(.*?)^\\}`, "ms").exec(read(path)) ?? [];
  return [...body.matchAll(/^ {2}(\w+):/gm)].map(([, code = ""]) => code);
}

/** The codes with which an app's own sources end a command, but for that of a senseless command line. */
function commandCodes(app: string): string[] {
  const thrown = /new (?:CommandError|StartError)\(\s*"(\w+)"/g;
  const codes = sourceFiles([`apps/${app}/src`], /(?<!\.test)\.ts$/).flatMap(({ text }) =>
    [...text.matchAll(thrown)].map(([, code = ""]) => code),
  );
  return [...new Set(codes)].filter((code) => code !== "USAGE");
}

/** The codes that anything thrown may be given by the package that all programs end with. */
function endings(): string[] {
  const source = ["exit", "command"].map((name) => read(`packages/terminal/src/${name}.ts`)).join();
  return [...new Set([...source.matchAll(/"([A-Z]{3,})"/g)].map(([, code = ""]) => code))];
}

const SECTIONS: Readonly<Record<string, () => Promise<readonly string[]> | readonly string[]>> = {
  "Every program": endings,
  "Files that are read": () => unionOf("packages/config/src/error.ts", "ConfigErrorCode"),
  "Files of coding agents": async () =>
    Object.keys((await load("packages/clients/src/error.ts")).clientFileErrors),
  "Servers that are started": () => keysOf("packages/wire/src/child.ts", "START_FAILURES"),
  Bounds: () => ["LIMIT_EXCEEDED", ...keysOf("packages/bounds/src/spill-error.ts", "sentences")],
  "Of a request": async () =>
    Object.keys((await load("apps/travis-adapter/src/errors.ts")).errorCodes),
  "Of a line to `host`": async () =>
    Object.keys((await load("apps/travis-adapter/src/errors.ts")).frameErrorCodes),
  "Of a call": () => unionOf("apps/gateway/src/errors.ts", "UpstreamErrorCode"),
  "Of a tool": async () => (await load("apps/aios-server/src/errors.ts")).errorCodes,
  "Of a search that left something out": () =>
    keysOf("apps/aios-server/src/search/omission.ts", "REASONS"),
  "Of the folder's state": () =>
    unionOf("apps/aios-server/src/reader/migration.ts", "InspectionCode"),
};

describe("docs/errors.md", () => {
  it.each(Object.entries(SECTIONS))(
    "has each code of “%s” once, and no other",
    async (heading, codes) => {
      const expected = await codes();
      expect(expected.length).toBeGreaterThan(2);
      expect(firstCells(page, heading).toSorted()).toEqual([...expected].toSorted());
    },
  );

  it.each([
    ["travis234-mcp-adapter", "travis-adapter"],
    ["wraptool", "gateway"],
    ["dotaios-mcp", "aios-server"],
  ])("has each code with which a command of %s fails, and no other", (program, app) => {
    const section = page.split(/^## /m).find((text) => text.startsWith(`${program}\n`)) ?? "";
    expect(firstCells(section, "Of a command").toSorted()).toEqual(commandCodes(app).toSorted());
  });

  it("has each HTTP refusal of the gateway with its status, and no other", async () => {
    const { REFUSALS } = await load("apps/gateway/src/errors.ts");
    const refusals = Object.values(REFUSALS as Record<string, { status: number; message: string }>);
    const rows = tableBelow(page, "Of an HTTP request").map(([status, sentence]) => [
      Number(status),
      sentence,
    ]);
    expect(rows).toEqual(refusals.map(({ status, message }) => [status, message]));
  });

  it("has each JSON-RPC code once, and no other", () => {
    const sources = ["message", "era"].map((name) => read(`packages/wire/src/${name}.ts`)).join("");
    const defined = [...sources.matchAll(/^export const \w+ = (-32\d+);/gm)];
    const codes = defined.map(([, code]) => code);
    expect(firstCells(page, "JSON-RPC").toSorted()).toEqual(codes.toSorted());
  });

  it("says of every code what to do", () => {
    const rows = page.split("\n").filter((line) => /^\| (`\w+`|-?\d+) /.test(line));
    expect(rows.filter((row) => /\|\s*\|/.test(row))).toEqual([]);
  });
});
