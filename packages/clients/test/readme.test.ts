import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import * as exported from "../src/index.ts";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const readme = await readFile(pathOf("../README.md"), "utf8");
const examples = Array.from(readme.matchAll(/^```ts\n(.+?)^```$/gms), ([, code]) => code!);
const folder = await mkdtemp(join(tmpdir(), "clients-readme-"));
afterAll(() => rm(folder, { recursive: true }));

it.each([...examples.keys()])(
  "[G22] [S24] example %i of the README holds what it asserts",
  async (index) => {
    const file = join(folder, `${index}.ts`);
    const source = JSON.stringify(pathOf("../src/index.ts"));
    await writeFile(file, examples[index]!.replaceAll('"@core/clients"', source));
    await import(/* @vite-ignore */ pathToFileURL(file).href);
  },
);

it("[G22] [S24] the examples show every export", () => {
  const words = new Set(examples.join("\n").match(/\w+/g));
  expect(Object.keys(exported).filter((name) => !words.has(name))).toEqual([]);
});
