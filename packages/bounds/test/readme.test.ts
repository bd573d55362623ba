import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import * as bounds from "../src/index.ts";

const readme = readFileSync(fileURLToPath(new URL("../README.md", import.meta.url)), "utf8");
const index = fileURLToPath(new URL("../src/index.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bounds-readme-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!);

it.each(examples.map((code, number) => ({ code, number: number + 1 })))(
  "[B1] [B2] [B3] [B4] example $number of the README does what it claims",
  async ({ code, number }) => {
    const file = join(folder, `example-${number}.ts`);
    writeFileSync(file, code.replaceAll('"@core/bounds"', JSON.stringify(index)));
    await import(/* @vite-ignore */ pathToFileURL(file).href);
  },
);

it("[B1] [B2] [B3] [B4] every export stands in an example of the README", () => {
  const shown = examples.join("\n");
  const missing = Object.keys(bounds).filter((name) => !new RegExp(`\\b${name}\\b`).test(shown));
  expect(missing).toEqual([]);
});
