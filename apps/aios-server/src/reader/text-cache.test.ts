import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { blockOf } from "../../test/block.ts";
import { createTextCache, type TextCache } from "./text-cache.ts";

const status = statSync(tmpdir(), { bigint: true });

function fill(cache: TextCache, path: string, bytes: number): void {
  const { texts, settle } = cache.folder(path);
  texts.add(["a.md"], blockOf(["x".repeat(bytes)]));
  settle();
}

const isKept = (cache: TextCache, path: string) => cache.folder(path).texts.length > 0;

describe("createTextCache", () => {
  it("keeps texts and listings from one search to the next", () => {
    const cache = createTextCache(10_000);
    fill(cache, "a", 100);
    cache.folder("a").keepListing(status, [{ name: "a.md", kind: "file" }]);
    cache.startRound();
    expect(cache.folder("a").texts.rowOf("a.md")).toBe(0);
    expect(cache.folder("a").listing?.entries).toHaveLength(1);
    cache.folder("a").forgetListing();
    expect(cache.folder("a").listing).toBeUndefined();
  });

  it("never counts more than its bound, and lets the longest unused folder go first", () => {
    const cache = createTextCache(3_000);
    for (const path of ["a", "b", "c"]) {
      cache.startRound();
      fill(cache, path, 700);
    }
    cache.startRound();
    cache.folder("a");
    cache.startRound();
    fill(cache, "d", 700);
    expect(cache.bytes).toBeLessThanOrEqual(3_000);
    cache.startRound();
    expect(["a", "b", "c", "d"].map((path) => isKept(cache, path))).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it("does not drop for one folder of a search what the same search has used", () => {
    const cache = createTextCache(3_000);
    cache.startRound();
    for (const path of ["a", "b", "c", "d", "e"]) fill(cache, path, 700);
    expect(cache.bytes).toBeLessThanOrEqual(3_000);
    cache.startRound();
    expect(["a", "b", "c", "d", "e"].map((path) => isKept(cache, path))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it("forgets a folder of which more is forgotten than not, or whose reader was stopped", () => {
    const cache = createTextCache(10_000);
    fill(cache, "a", 100);
    const { texts, settle } = cache.folder("a");
    texts.add(["b.md"], blockOf(["x".repeat(300)]));
    texts.forget("b.md");
    settle();
    expect(isKept(cache, "a")).toBe(false);
    fill(cache, "b", 100);
    cache.folder("b").drop();
    expect(isKept(cache, "b")).toBe(false);
    expect(cache.bytes).toBe(0);
  });
});
