import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";

const readme = readFileSync(fileURLToPath(new URL("../README.md", import.meta.url)), "utf8");
const index = fileURLToPath(new URL("../src/index.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "wire-readme-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!);

it("[W8] the README has examples", () => {
  expect(examples.length).toBeGreaterThan(0);
});

it.each(examples.map((code, number) => ({ code, number: number + 1 })))(
  "[W8] example $number of the README does what it claims",
  async ({ code, number }) => {
    const file = join(folder, `example-${number}.ts`);
    writeFileSync(file, code.replaceAll('"@core/wire"', JSON.stringify(index)));
    await import(/* @vite-ignore */ pathToFileURL(file).href);
  },
);
