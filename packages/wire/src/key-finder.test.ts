import { readMembers } from "@core/bounds";
import { describe, expect, it } from "vitest";
import { createKeyFinder, type Doubt } from "./key-finder.ts";

const KEYS = ["id", "params", "progressToken", "_meta"] as const;
const finder = createKeyFinder(KEYS);

function find(text: string) {
  const doubts: Doubt[] = [];
  const found = finder.find(readMembers(Buffer.from(text)), doubts);
  return {
    keys: KEYS.filter((_, place) => found[place] !== undefined),
    doubts: doubts.map(({ key, problem }) => `${key} ${problem}`),
  };
}

describe("a key finder", () => {
  it("[G11] finds its keys and leaves others alone, even twice", () => {
    expect(find('{"x":1,"id":2,"x":3,"Y":4}')).toEqual({ keys: ["id"], doubts: [] });
    expect(find("{}")).toEqual({ keys: [], doubts: [] });
  });

  it("[G11] doubts a key that stands twice, also once with escapes", () => {
    expect(find('{"id":1,"id":1}').doubts).toEqual(["id stands twice"]);
    expect(find('{"id":1,"\\u0069d":1}').doubts).toEqual([
      "id stands twice",
      "id is written with escapes",
    ]);
  });

  it("[G11] doubts a single key that is written with escapes", () => {
    expect(find('{"par\\u0061ms":{}}').doubts).toEqual(["params is written with escapes"]);
  });

  it.each([
    ["ID", "id"],
    ["Params", "params"],
    ["progresstoken", "progressToken"],
    ["_META", "_meta"],
    ["param\u017f", "params"],
    ["progressTo\u212aen", "progressToken"],
    ["\\u0049d", "id"],
  ])("[G11] doubts %s, which a reader that ignores case takes for %s", (written, key) => {
    expect(find(`{"${written}":1}`)).toEqual({
      keys: [],
      doubts: [`${key} is written in another case`],
    });
  });
});
