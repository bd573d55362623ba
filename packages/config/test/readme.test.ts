import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import * as config from "../src/index.ts";

const readme = readFileSync(fileURLToPath(new URL("../README.md", import.meta.url)), "utf8");
const index = fileURLToPath(new URL("../src/index.ts", import.meta.url));
// Inside of the package, so that the examples find its dependencies.
const folder = mkdtempSync(fileURLToPath(new URL("../.readme-test-", import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!);

describe("the README", () => {
  it.each(examples.map((code, number) => ({ code, number: number + 1 })))(
    "[C1] [C2] [C3] [C4] does in example $number what it claims",
    async ({ code, number }) => {
      const file = join(folder, `example-${number}.ts`);
      writeFileSync(file, code.replaceAll('"@core/config"', JSON.stringify(index)));
      await import(/* @vite-ignore */ pathToFileURL(file).href);
    },
  );

  it("[C1] [C2] [C3] [C4] shows every export in an example", () => {
    const shown = examples.join("\n");
    const missing = Object.keys(config).filter((name) => !new RegExp(`\\b${name}\\b`).test(shown));
    expect(missing).toEqual([]);
  });

  it("[A8] has the credential rules of the code, with their hits and misses", () => {
    const between = /<!-- credential rules: begin -->(.*)<!-- credential rules: end -->/s;
    const rows = between.exec(readme)![1]!.trim().split("\n").slice(2).map(cellsOf);
    const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
    expect(rows).toEqual(
      config.credentialRules.map(({ match, scope, reason, hits, misses }) => [
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
