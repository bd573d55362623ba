import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../limits.ts";
import { decideMemory } from "../memory/gate.ts";
import { CeilingMet, omissionOf } from "../search/omission.ts";
import { selectScopes } from "../search/scope.ts";
import type { Result } from "../search/scope-search.ts";
import type { Found } from "../search/search.ts";
import { createPathScrubber } from "./machine-path.ts";
import { offSearchAnswer, searchAnswer } from "./search.ts";

const NOTHING: Found = {
  lists: [],
  omissions: [],
  project: null,
  skippedProjects: 0,
  vault: undefined,
};

function memoryOf(project?: string) {
  const memory = decideMemory({ memory: undefined, project });
  if (memory.mode === "off") throw new Error("memory is not off here");
  return memory;
}

function answerOf(
  found: Partial<Found> = {},
  asked: { query?: string; scope?: "all" | "vault"; budget?: number; project?: string } = {},
) {
  const { query = "tide", scope = "all", budget = 6_000, project } = asked;
  const text = searchAnswer({
    asked: { query, scope, budget },
    memory: memoryOf(project),
    found: { ...NOTHING, ...found },
    scrubPaths: createPathScrubber(["/srv/ines/aios", "/mnt/vault", "/opt/ines"]),
  });
  return { text, ...JSON.parse(text) };
}

const note = (content: string, scope: Result["scope"] = "vault"): Result => ({
  scope,
  source: "vault/a.md",
  matches: [{ content }],
});

describe("searchAnswer", () => {
  it("[S9] says what was asked, by which right, what was found, and how much room it took", () => {
    const { text, ...answer } = answerOf({ lists: [[note("the tide")]] });
    expect(Object.keys(answer)).toEqual([
      ...["query", "scope", "memory", "receipt", "notice", "scope_selection"],
      ...["results", "complete", "omissions", "budget"],
    ]);
    expect(answer).toEqual({
      query: "tide",
      scope: "all",
      memory: "shared",
      receipt: "Memory: Shared",
      notice: null,
      scope_selection: { projects: "omitted" },
      results: [note("the tide")],
      complete: true,
      omissions: [],
      budget: { limit: 6_000, used: text.length, truncated: false },
    });
  });

  it("names the project that was searched, and counts those that nobody could read", () => {
    const found = { project: { slug: "oak", id: "prj-o" }, skippedProjects: 2 };
    expect(answerOf(found, { project: "oak" })).toMatchObject({
      memory: "project",
      receipt: "Memory: This project",
      scope_selection: { project: "oak", project_id: "prj-o" },
      skipped: { projects: 2 },
    });
    const anonymous = answerOf({ project: { slug: "oak", id: undefined } }, { project: "oak" });
    expect(anonymous.scope_selection).toEqual({ project: "oak", project_id: null });
    expect(answerOf({}, { scope: "vault" })).not.toHaveProperty("scope_selection");
    expect(answerOf()).not.toHaveProperty("skipped");
  });

  it.each([3_530, 6_000, 32_000])(
    "[S9] stays within %i to the last character, and says so",
    (budget) => {
      const sizes = [0, 1, 7, 300, 799, 800];
      for (const count of [0, 1, 5, 20, 160]) {
        const results = Array.from({ length: count }, (_, at) =>
          note('"\u{1f30a}é\n\\'.repeat(sizes[at % sizes.length]! / 5)),
        );
        const { text, budget: said, results: shown } = answerOf({ lists: [results] }, { budget });
        expect(text.length).toBeLessThanOrEqual(budget);
        expect(said).toEqual({ limit: budget, used: text.length, truncated: shown.length < count });
      }
    },
  );

  it("[S9] states its true length whatever is in it", () => {
    const lists = fc.array(
      fc.array(
        fc.string({ unit: "binary" }).map((text) => note(text)),
        { maxLength: 9 },
      ),
      {
        maxLength: 3,
      },
    );
    fc.assert(
      fc.property(
        lists,
        fc.string({ unit: "binary", maxLength: 200 }),
        fc.integer({ min: 3_530, max: 9_000 }),
        (some, query, budget) => {
          const answer = answerOf({ lists: some }, { query, budget });
          expect(answer.budget.used).toBe(answer.text.length);
          expect(answer.text.length).toBeLessThanOrEqual(budget);
        },
      ),
    );
  });

  it("[S9] is indented where that fits, to the last character, and compact where it does not", () => {
    const results = Array.from({ length: 20 }, (_, at) => note(`${at} ${"x".repeat(150)}`));
    const pretty = answerOf({ lists: [results] }, { budget: 32_000 });
    expect(pretty.text).toContain("\n");
    // The limit is as long as the budget that is stated.
    const exact = pretty.text.length - 1;
    const [fits, not] = [exact, exact - 1].map((budget) =>
      answerOf({ lists: [results] }, { budget }),
    );
    expect(fits?.text).toHaveLength(exact);
    expect(fits?.text).toContain("\n");
    expect(not?.text).not.toContain("\n");
    expect(not?.results).toHaveLength(20);
    expect(not?.budget).toEqual({ limit: exact - 1, used: not?.text.length, truncated: false });
  });

  it("[S11] fits the largest honest answer into 3,530 characters, indented", () => {
    const huge = { files: 1e9, bytes: 1e12, entries: 1e9 };
    const omissions = selectScopes("all", "shared").map((scope) =>
      omissionOf(scope, new CeilingMet("directory_entries_exceeded", huge)),
    );
    const counts = omissions.map((omission) => ({
      ...omission,
      observed: { files: 50_001, bytes: 268_435_457, entries: 500_001 },
    }));
    const answer = answerOf({ omissions: counts }, { budget: limits.minSearchBudget });
    expect(answer.omissions).toEqual(counts);
    expect(answer.complete).toBe(false);
    expect(answer.text).toContain("\n");
    expect(answer.text.length).toBeLessThanOrEqual(3_530);

    const wild = answerOf({ omissions: counts }, { budget: 3_530, query: "\u0001".repeat(500) });
    expect(wild.omissions).toEqual(counts);
    expect(wild.query).toMatch(/\[query truncated\]$/);
    expect(wild.budget).toEqual({ limit: 3_530, used: wild.text.length, truncated: true });

    const wide = "\\".repeat(200);
    const project = answerOf(
      {
        omissions: counts.slice(0, 3),
        project: { slug: "x".repeat(255), id: wide },
        skippedProjects: 8_192,
      },
      { budget: 3_530, project: "x", query: "\ud800".repeat(500) },
    );
    expect(project.text.length).toBeLessThanOrEqual(3_530);
    expect(project.scope_selection.project_id).toBe(wide);
  });

  it("[S12] keeps every omission and the completeness of the corpus, however little else fits", () => {
    const omissions = [omissionOf("vault", new CeilingMet("file_too_large", { bytes: 7 }))];
    const many = Array.from({ length: 99 }, () => note("x".repeat(700)));
    expect(answerOf({ omissions, lists: [many] }, { budget: 3_530 })).toMatchObject({
      complete: false,
      omissions,
      budget: { truncated: true },
    });
    expect(answerOf({ lists: [many] }, { budget: 3_530 })).toMatchObject({
      complete: true,
      omissions: [],
      budget: { truncated: true },
    });
    expect(answerOf({ omissions })).toMatchObject({
      complete: false,
      budget: { truncated: false },
    });
  });

  it("[S17] takes results from each scope in turn, so that the first cannot starve the last", () => {
    const first = Array.from({ length: 20 }, () => note("x".repeat(700), "sessions"));
    const lists = [first, [note("short", "context")], [note("last", "plugins")]];
    const { results, budget } = answerOf({ lists }, { budget: 3_530 });
    expect(results.slice(0, 3).map(({ scope }: Result) => scope)).toEqual([
      "sessions",
      "context",
      "plugins",
    ]);
    expect(budget.truncated).toBe(true);
  });

  it("[S17] passes over a result that does not fit, and takes smaller ones after it", () => {
    const big = {
      ...note("big"),
      list: Array(5).fill("y".repeat(300)),
      more: Array(5).fill("z".repeat(300)),
    };
    const lists = [[note("a"), { ...big, again: big }, note("b")]];
    const contents = answerOf({ lists }, { budget: 3_530 }).results.map(
      ({ matches }: { matches: { content: string }[] }) => matches[0]?.content,
    );
    expect(contents).toEqual(["a", "b"]);
  });

  it("[S16] shows no path of the machine in any text or name of a field, and leaves addresses alone", () => {
    const texts = {
      summary: "in /srv/ines/aios/memory and /mnt/vault/x, /opt/ines/y and /home/odile/z",
      windows: "C:\\Users\\ines and \\\\nas\\share\\x or file:///root/x",
      deep: { list: ["/Users/ines/a"], "/root/key": 1 },
      fine: "https://example.org/home/x and projects/home/README.md",
      path: "memory/x",
      source_path: "/home/ines/s",
      RootPath: "/",
    };
    const { text, results } = answerOf({ lists: [[{ scope: "memory", ...texts }]] });
    expect(text).not.toMatch(/ines|odile|\/root|nas/);
    expect(results[0]).toEqual({
      scope: "memory",
      summary: "in [path] and [path], [path] and [path]",
      windows: "[path] and [path] or [path]",
      deep: { list: ["[path]"], "[path]": 1 },
      fine: texts.fine,
    });
  });

  it("[S16] finds a path before the text is cut", () => {
    const { results } = answerOf({
      lists: [[{ scope: "memory", note: `${"x".repeat(290)} /home/ines/secret` }]],
    });
    expect(results[0].note).toBe(`${"x".repeat(290)} [path]`);
  });

  it("[S9] cuts texts, lists and depth, and says so", () => {
    let deep: object = {};
    for (let level = 0; level < 20; level++) deep = { deep };
    const { results } = answerOf({
      lists: [
        [
          {
            scope: "memory",
            note: "n".repeat(301),
            summary: "s".repeat(801),
            list: [1, 2, 3, 4, 5, 6],
            deep,
          },
        ],
      ],
    });
    expect(results[0].note).toBe(`${"n".repeat(300)}\n[truncated]`);
    expect(results[0].summary).toBe(`${"s".repeat(800)}\n[truncated]`);
    expect(results[0].list).toEqual([1, 2, 3, 4, 5]);
    expect(JSON.stringify(results[0].deep)).toMatch(/^(\{"deep":){7}"\[truncated\]"\}{7}$/);
  });
});

describe("offSearchAnswer", () => {
  it("[S2] looks at nothing and fits the smallest budget with any query", () => {
    const off = decideMemory({ memory: "off", project: undefined });
    if (off.mode !== "off") throw new Error("memory is off here");
    for (const query of ["tide", "\u0001".repeat(500), "\ud800".repeat(500)]) {
      const text = offSearchAnswer({ query, scope: "references", budget: 3_530 }, off);
      expect(text.length).toBeLessThanOrEqual(3_530);
      expect(JSON.parse(text)).toEqual({
        query,
        scope: "references",
        results: [],
        omissions: [],
        memory: "off",
        receipt: "Memory: Off",
        notice: off.notice,
        complete: true,
      });
    }
  });
});
