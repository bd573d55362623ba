import { describe, expect, it } from "vitest";
import { allRequirements } from "../requirements/index.ts";
import { sourceFiles } from "./sources.ts";

/** Ids that test titles cite, each with a file that cites it. A title is a string that begins with ids in brackets. */
function citations(): Map<string, string> {
  const cited = new Map<string, string>();
  for (const { path, text } of sourceFiles(["packages", "apps", "test-fixtures"], /\.test\.ts$/))
    for (const [, ids = ""] of text.matchAll(/["'`]((?:\[[A-Z]+\d+\] ?)+)/g))
      for (const [, id = ""] of ids.matchAll(/\[([A-Z]+\d+)\]/g)) cited.set(id, path);
  return cited;
}

describe("the requirements manifest", () => {
  const cited = citations();
  const known = new Map(allRequirements.map((requirement) => [requirement.id, requirement]));

  it("[P1] holds each id once, in 112 entries with a sentence of its own", () => {
    expect(known.size).toBe(allRequirements.length);
    expect(new Set(allRequirements.map(({ sentence }) => sentence)).size).toBe(known.size);
    expect(allRequirements).toHaveLength(112);
  });

  it("[P1] knows every id that a test cites", () => {
    expect([...cited].filter(([id]) => !known.has(id))).toEqual([]);
  });

  it("[P1] has a citation for every promise that is kept or partial", () => {
    const uncited = allRequirements.filter(({ id, state }) => state !== "open" && !cited.has(id));
    expect(uncited.map(({ id }) => id)).toEqual([]);
  });

  it("[P1] has no citation for a promise that is open", () => {
    const early = allRequirements.filter(({ id, state }) => state === "open" && cited.has(id));
    expect(early.map(({ id }) => `${id} in ${cited.get(id)}`)).toEqual([]);
  });
});
