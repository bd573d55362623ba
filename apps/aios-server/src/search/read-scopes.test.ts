import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MIB } from "@core/bounds";
import fc from "fast-check";
import { createTempFolder } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { watchedDisk } from "../../test/disk.ts";
import { helperOn } from "../../test/helper.ts";
import { decideMemory } from "../memory/gate.ts";
import { nodeDisk } from "../reader/disk.ts";
import { createTextCache } from "../reader/text-cache.ts";
import { openTree, type Tree } from "../reader/tree.ts";
import type { Amounts } from "./omission.ts";
import { readScopes } from "./read-scopes.ts";
import type { Scope } from "./scope.ts";
import type { ScopeSearch } from "./scope-search.ts";
import { isNote, listDeep } from "./walk.ts";

const PLENTY: Amounts = { files: 1_000, bytes: MIB, entries: 1_000 };
const SCOPES: readonly Scope[] = ["context", "vault", "decisions", "skills"];

/** A scope of so many notes of so many bytes each, in a folder of its own. */
interface Made {
  readonly notes: number;
  readonly bytes: number;
  /** Lines of records that it says to have. */
  readonly lines?: number;
}

/** With `every`, another thread would read every n-th piece ahead. */
async function readMade(made: readonly Made[], left: Partial<Amounts>, every?: number) {
  await using folder = createTempFolder();
  for (const [at, { notes, bytes }] of made.entries()) {
    mkdirSync(join(folder.path, SCOPES[at]!));
    for (let note = 0; note < notes; note++)
      writeFileSync(join(folder.path, SCOPES[at]!, `${note}.md`), "x".repeat(bytes));
  }
  const used = { files: 0, bytes: 0, entries: 0 };
  const watched = watchedDisk(({ method }) => {
    if (method === "read") used.files++;
  });
  const disk = {
    ...watched,
    read(descriptor: number, buffer: Uint8Array, offset: number) {
      const count = watched.read(descriptor, buffer, offset);
      used.bytes += count;
      return count;
    },
    *entries(path: string) {
      for (const entry of nodeDisk.entries(path)) {
        used.entries++;
        yield entry;
      }
    },
  };
  const decision = decideMemory({ memory: "shared", project: undefined });
  if (decision.mode === "off") throw new Error("memory is not off here");
  using tree = openTree(decision.access, {
    root: folder.path,
    cache: createTextCache(0),
    fold: String,
    now: 0,
    disk,
    helper: every === undefined ? undefined : helperOn(disk, { fold: String, every }),
  });
  const taken = new Map<Scope, number>();
  const searches = made.map(({ lines = 0 }, at) => fakeSearch(SCOPES[at]!, tree, lines, taken));
  const { read, omissions } = readScopes(searches, {
    left: { ...PLENTY, ...left },
    checkpoint: () => {},
  });
  return { read: read.map(({ scope }) => scope), omissions, taken, used };
}

function fakeSearch(
  scope: Scope,
  tree: Tree,
  lines: number,
  taken: Map<Scope, number>,
): ScopeSearch {
  return {
    scope,
    list: (countEntries) => listDeep({ tree, source: scope, countEntries }, scope, isNote),
    take: ({ rows }) => void taken.set(scope, (taken.get(scope) ?? 0) + rows.length),
    discover: () => ({ entries: lines, groups: [] }),
    results: () => [],
  };
}

describe("readScopes", () => {
  it("reads every file of every scope while there is room", async () => {
    const { read, omissions, taken } = await readMade(
      [
        { notes: 3, bytes: 10 },
        { notes: 2, bytes: 10 },
      ],
      { bytes: 50, files: 5, entries: 5 },
    );
    expect(read).toEqual(["context", "vault"]);
    expect(omissions).toEqual([]);
    expect(Object.fromEntries(taken)).toEqual({ context: 3, vault: 2 });
  });

  it.each([
    ["aggregate_bytes_exceeded", { bytes: 999 }, { files: 10, bytes: 1_000, entries: 10 }],
    ["file_count_exceeded", { files: 9 }, { files: 10, bytes: 0, entries: 10 }],
    ["entry_count_exceeded", { entries: 9 }, { files: 0, bytes: 0, entries: 10 }],
  ] as const)(
    "[S10] leaves a scope out by %s when it is one over",
    async (reason, left, observed) => {
      const big = { notes: 10, bytes: 100 };
      const { read, omissions } = await readMade([big], left);
      expect(read).toEqual([]);
      expect(omissions).toEqual([expect.objectContaining({ scope: "context", reason, observed })]);
      const [name, most] = Object.entries(left)[0]!;
      expect((await readMade([big], { [name]: most + 1 })).omissions).toEqual([]);
    },
  );

  it("[S10] counts lines of records as entries", async () => {
    const made = [
      { notes: 1, bytes: 1, lines: 100 },
      { notes: 1, bytes: 1 },
    ];
    const { read, omissions } = await readMade(made, { entries: 101 });
    expect(read).toEqual(["vault"]);
    expect(omissions).toEqual([
      expect.objectContaining({
        scope: "context",
        reason: "entry_count_exceeded",
        observed: { files: 0, bytes: 0, entries: 100 },
      }),
    ]);
    expect((await readMade(made, { entries: 102 })).omissions).toEqual([]);
  });

  it("does not let a large scope in front starve a small one behind", async () => {
    const { read, omissions } = await readMade(
      [
        { notes: 30, bytes: 100 },
        { notes: 2, bytes: 100 },
      ],
      { bytes: 1_000 },
    );
    expect(read).toEqual(["vault"]);
    expect(omissions).toMatchObject([{ scope: "context", reason: "aggregate_bytes_exceeded" }]);
  });

  it("[S10] reads a scope whole or not at all, and never more than there is, alone or with a helper", async () => {
    const made = fc.array(fc.record({ notes: fc.nat(12), bytes: fc.nat(60) }), {
      minLength: 1,
      maxLength: 4,
    });
    const left = fc.record({
      bytes: fc.integer({ min: 0, max: 900 }),
      files: fc.integer({ min: 0, max: 30 }),
      entries: fc.integer({ min: 0, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(made, left, async (some, budget) => {
        const { read, omissions, taken, used } = await readMade(some, budget);
        expect(used.bytes).toBeLessThanOrEqual(budget.bytes);
        // The entry that crosses the limit shows itself.
        expect(used.entries).toBeLessThanOrEqual(budget.entries + some.length);
        expect(read.length + omissions.length).toBe(some.length);
        for (const scope of read)
          expect(taken.get(scope) ?? 0).toBe(some[SCOPES.indexOf(scope)]!.notes);
        for (const every of [1, 2]) {
          const shared = await readMade(some, budget, every);
          expect({ ...shared, used: undefined }).toEqual({ read, omissions, taken });
          expect(shared.used.bytes).toBeLessThanOrEqual(budget.bytes);
        }
      }),
      { numRuns: 40 },
    );
  });
});
