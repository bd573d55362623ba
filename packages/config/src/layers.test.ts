import { describe, expect, it } from "vitest";
import { mergeLayers } from "./layers.ts";

describe("mergeLayers", () => {
  it("[C3] replaces a lower entry as a whole, and never mixes fields", () => {
    const merged = mergeLayers<object>([
      { origin: "low", entries: { a: { url: "x", headers: { Authorization: "t" } } } },
      { origin: "high", entries: { a: { url: "elsewhere" } } },
    ]);
    expect(merged.get("a")).toEqual({
      value: { url: "elsewhere" },
      origin: "high",
      shadowed: ["low"],
    });
  });

  it("[C3] names every hidden origin, lowest first, and keeps the order of first appearance", () => {
    const merged = mergeLayers([
      { origin: "1", entries: { b: 1, a: 1 } },
      { origin: "2", entries: { a: 2, c: 2 } },
      { origin: "3", entries: { a: 3 } },
    ]);
    expect([...merged.keys()]).toEqual(["b", "a", "c"]);
    expect(merged.get("a")).toEqual({ value: 3, origin: "3", shadowed: ["1", "2"] });
    expect(merged.get("c")).toEqual({ value: 2, origin: "2", shadowed: [] });
  });

  it("[C3] takes names that are properties of every object for what they are", () => {
    const entries = JSON.parse('{"__proto__": 1, "constructor": 2}') as Record<string, number>;
    const merged = mergeLayers([{ origin: "x", entries }]);
    expect([...merged].map(([name, { value }]) => [name, value])).toEqual([
      ["__proto__", 1],
      ["constructor", 2],
    ]);
    expect(mergeLayers([]).size).toBe(0);
  });
});
