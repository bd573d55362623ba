import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "../src/index.ts";

const page = readFileSync(join(repository, "docs", "security.md"), "utf8");
const rows = page.split("\n").filter((line) => /^\|.*\]\(\.\.\/.*\.test\.ts\) \|$/.test(line));
const named = rows.flatMap((row) => [...row.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+\.test\.ts)\)/g)]);

describe("docs/security.md", () => {
  it("[P3] names for each attack a test that exists, by a part of its title", () => {
    expect(named.length).toBeGreaterThanOrEqual(20);
    const missing = named.filter(([, title = "", path = ""]) => {
      const file = join(repository, path);
      return !existsSync(file) || !readFileSync(file, "utf8").includes(title);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  it("[P3] has a place for the figures of `npm run fuzz`, whose files all exist", () => {
    expect(page).toMatch(/<!-- figures -->\n[\s\S]+\n<!-- end of figures -->\n/);
    const script = readFileSync(join(repository, "scripts", "fuzz.mjs"), "utf8");
    const files = [...script.matchAll(/"([\w/-]+(?:\.[\w-]+)*\.test\.ts)"/g)].map(
      ([, file]) => file,
    );
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !existsSync(join(repository, file ?? "")))).toEqual([]);
  });
});
