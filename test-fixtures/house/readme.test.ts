import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { repository } from "../src/index.ts";
import { sourceFiles } from "./sources.ts";

// Examples are written inside their package, so that they are compiled like its sources and find its dependencies.
const places = new Set<string>();
afterAll(() => {
  for (const place of places) rmSync(place, { recursive: true, force: true });
});

const examples = sourceFiles(["packages"], /^packages\/[^/]+\/README\.md$/).flatMap(
  ({ path, text }) =>
    [...text.matchAll(/^## (.*)$|^```ts\n([\s\S]*?)^```/gm)].reduce<
      { path: string; heading: string; code: string }[]
    >((found, [, heading, code]) => {
      if (heading !== undefined) found.push({ path, heading, code: "" });
      else if (code !== undefined) {
        const last = found.at(-1);
        if (last?.code === "") last.code = code;
        else found.push({ path, heading: last?.heading ?? "", code });
      }
      return found;
    }, []),
);
const runnable = examples.filter(({ code }) => code !== "");

describe("the examples of the packages' READMEs", () => {
  it("stand in every package, several in each", () => {
    for (const name of ["bounds", "config", "wire", "clients", "terminal"])
      expect(
        runnable.filter(({ path }) => path === `packages/${name}/README.md`).length,
        name,
      ).toBeGreaterThanOrEqual(3);
  });

  it.each(runnable.map((example, index) => ({ ...example, index })))(
    "$path, $heading: example $index runs to its end",
    async ({ path, code, index }) => {
      const place = join(repository, dirname(path), ".tsc", `readme-${process.pid}`);
      places.add(place);
      mkdirSync(place, { recursive: true });
      const file = join(place, `example-${index}.ts`);
      writeFileSync(file, code);
      await import(/* @vite-ignore */ file);
    },
  );

  it.each(["bounds", "config", "wire", "clients", "terminal"])(
    "show every export of @core/%s",
    (name) => {
      const [index] = sourceFiles([`packages/${name}/src`], /src\/index\.ts$/);
      const shown = runnable
        .filter(({ path }) => path === `packages/${name}/README.md`)
        .map(({ code }) => code)
        .join("\n");
      const values = [...(index?.text ?? "").matchAll(/^export \{([^}]*)\}/gms)]
        .flatMap(([, names = ""]) => names.split(","))
        .map((exported) => exported.trim())
        .filter((exported) => exported !== "" && !exported.startsWith("type "));
      expect(values.filter((value) => !new RegExp(`\\b${value}\\b`).test(shown))).toEqual([]);
    },
  );
});
