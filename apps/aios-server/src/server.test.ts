import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { MIB } from "@core/bounds";
import { edges, sampleAios } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { sampleNoon } from "../test/clock.ts";
import { trappedDisk, watchedDisk } from "../test/disk.ts";
import { createAios, makePipe, snapshotTree, waitForTick, writeFiles } from "../test/folder.ts";
import type { RawArguments } from "./arguments/fields.ts";
import { AiosError } from "./errors.ts";
import { limits } from "./limits.ts";
import type { Disk } from "./reader/disk.ts";
import { reportFailure } from "./response/failure.ts";
import { createAiosServer } from "./server.ts";

function contextOf(folder: string, given: RawArguments = {}, disk?: Disk) {
  const server = createAiosServer({
    folder,
    version: "1.0.0",
    now: sampleNoon,
    ...(disk && { disk }),
  });
  return server.readWorkingContext(given);
}

function codeOf(folder: string, given: RawArguments = {}, disk?: Disk): string {
  try {
    contextOf(folder, given, disk);
    return "answered";
  } catch (error) {
    return reportFailure(error).code;
  }
}

const json = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

describe("read_working_context with memory off", () => {
  it("[S2] touches nothing, on a disk where every look fails the test", () => {
    expect(contextOf("/nowhere", { memory: "off", project: "x" }, trappedDisk)).toEqual({
      markdown:
        "Memory: Off\n\nMemory is off: nothing was looked at or kept. The app itself may still keep its own history.",
      scope: { project: null },
      memory: "off",
      receipt: "Memory: Off",
      notice:
        "Memory is off: nothing was looked at or kept. The app itself may still keep its own history.",
      complete: true,
    });
    expect(() => contextOf("/nowhere", {}, trappedDisk)).toThrow("looked at");
  });

  it("[S3] still refuses bad arguments, and refuses them and the policy before any look", () => {
    const codes = [{ memory: "off", limit: 0 }, { extra: 1 }, { memory: "project" }].map((given) =>
      codeOf("/nowhere", given, trappedDisk),
    );
    expect(codes).toEqual(["ARGUMENT_RANGE", "ARGUMENT_UNKNOWN", "MEMORY_NEEDS_PROJECT"]);
  });
});

describe("read_working_context", () => {
  it("answers with markdown, receipt, scope, budget and migration state", () => {
    const answer = contextOf(sampleAios);
    expect(answer).toEqual({
      markdown: expect.stringMatching(
        /^Memory: Shared\n\n## Active Context · 2026-11-30\n\n### Ide/,
      ),
      memory: "shared",
      receipt: "Memory: Shared",
      notice: null,
      complete: true,
      scope: { project: null },
      generated_at: sampleNoon().toISOString(),
      budget: {
        limit: 6_000,
        used: answer.markdown.length,
        remaining: 6_000 - answer.markdown.length,
        truncated: false,
      },
      operational: {
        migration: {
          status: "current",
          folder_schema_version: "1.2.0",
          supported_schema_version: "1.2.0",
          severity: "none",
          action: null,
        },
      },
    });
  });

  it.each(["tidewater", "prj-tidewater-4f2", "tide", " tide "])(
    "[S4] shows one project's own records alone, however it is named (%j)",
    (project) => {
      const answer = contextOf(sampleAios, { project, limit: 10 });
      expect(answer).toMatchObject({ memory: "project", scope: { project: "tidewater" } });
      expect(answer.markdown).toMatch(
        /^Memory: This project\n\n## Active Context · 2026-11-30\n\n### Active Project\n- Tidewater/,
      );
      for (const theirs of ["Ines", "Beacon", "Odile", "Biscuit", "Gift list", "Hollow", "Nested"])
        expect(answer.markdown).not.toContain(theirs);
      for (const own of ["Header of the pack", "Saint Brannoc gauge", "Harbour office", "Packs"])
        expect(answer.markdown).toContain(own === "Packs" ? "Harbour packs instead" : own);
    },
  );

  it("[S4] leaves out records whose two fields disagree, and those that name nobody", async () => {
    const at = { ts: "2026-11-30T10:00:00Z" };
    await using folder = createAios({
      "projects/oak/README.md": "---\nid: prj-o\nproject: tree\n---\n",
      "projects/elm/README.md": "---\nid: prj-e\n---\n",
      "memory/events.jsonl": json([
        { ...at, project: "tree", project_id: null, summary: "mine" },
        { ...at, project: "oak", project_id: "prj-e", summary: "disputed" },
        { ...at, project: null, summary: "nobody's" },
        { ...at, project: "elm", summary: "theirs" },
      ]),
    });
    const { markdown } = contextOf(folder.path, { project: "prj-o" });
    expect(markdown.match(/### Recent Events\n(.*)/s)?.[1]).toBe("- [2026-11-30] mine");
  });

  it("limits sessions alone by limit", () => {
    const count = (limit: number) =>
      contextOf(sampleAios, { limit }).markdown.match(/ turns\)/g)?.length;
    expect([count(1), count(3), count(10)]).toEqual([1, 3, 6]);
  });

  it("[S5] says how many projects nobody could read, and only then", async () => {
    await using folder = createAios({ "projects/a/README.md": "---\nid: [open\n---\n" });
    expect(contextOf(folder.path)).toMatchObject({ skipped: { projects: 1 } });
    expect(contextOf(sampleAios)).not.toHaveProperty("skipped");
  });

  it("[S21] is read anew after any change, and given again without reading while there is none", async () => {
    await using folder = createAios({ "context/identity.md": "Ines", "projects/a/README.md": "A" });
    let reads = 0;
    const disk = watchedDisk(({ method }) => {
      if (method === "openFile" || method === "entries") reads++;
    });
    const later = () => new Date(Date.now() + 3_600_000);
    const start = (on: Disk) =>
      createAiosServer({ folder: folder.path, version: "1.0.0", now: later, disk: on });
    const server = start(disk);
    const readAgain = () => {
      reads = 0;
      const { markdown } = server.readWorkingContext({});
      return { markdown, reads };
    };
    const first = readAgain();
    const inspection = readAgain();
    expect(inspection.markdown).toBe(first.markdown);
    expect(inspection.reads).toBeLessThan(first.reads);
    const changes: Record<string, () => void> = {
      rewritten: () => writeFiles(folder.path, { "context/identity.md": "Aina" }),
      added: () => writeFiles(folder.path, { "context/priorities.md": "one" }),
      "a new folder": () => writeFiles(folder.path, { "decisions/log.md": "## First" }),
      "a new project": () =>
        writeFiles(folder.path, { "projects/b/README.md": "---\nstatus: active" }),
      removed: () => rmSync(join(folder.path, "context/priorities.md")),
    };
    for (const [name, change] of Object.entries(changes)) {
      waitForTick(join(folder.path, "context/identity.md"));
      waitForTick(folder.path);
      change();
      const { markdown } = readAgain();
      expect([name, markdown]).toEqual([name, start(disk).readWorkingContext({}).markdown]);
    }
  });

  it("[S8] answers whatever is wrong with the migration state, with the same markdown", async () => {
    await using folder = createAios({ "context/identity.md": "Ines" });
    const { markdown } = contextOf(folder.path);
    const reportWith = (files: Record<string, string>) => {
      writeFiles(folder.path, files);
      const answer = contextOf(folder.path);
      expect(answer.markdown).toBe(markdown);
      return "operational" in answer && answer.operational.migration;
    };
    const reports = [
      { "aios.json": '{"schema_version":"1.2.0"}' },
      { "aios.json": '{"schema_version":"1.1.0"}' },
      { "aios.json": '{"schema_version":"9.0.0"}' },
      { "aios.json": "{" },
      {
        "aios.json": '{"schema_version":"1.1.0"}',
        ".dotaios/migrations/owner.json": '{\n  "schema": "dotaios.migrations.v1"\n}\n',
        ".dotaios/migrations/transactions/migrate-1_1_0-to-1_2_0-0123456789abcdef/journal.json":
          "{}",
      },
    ].map(reportWith);
    expect(reports).toEqual([
      {
        status: "current",
        folder_schema_version: "1.2.0",
        supported_schema_version: "1.2.0",
        severity: "none",
        action: null,
      },
      {
        status: "schema_outdated",
        folder_schema_version: "1.1.0",
        supported_schema_version: "1.2.0",
        severity: "notice",
        action: { command: "dotaios migrate", path_scope: "configured_aios" },
      },
      {
        status: "inspection_failed",
        code: "FUTURE_SCHEMA",
        severity: "warning",
        action: { command: "dotaios doctor", path_scope: "configured_aios" },
      },
      {
        status: "inspection_failed",
        code: "INVALID_CONFIG",
        severity: "warning",
        action: { command: "dotaios doctor", path_scope: "configured_aios" },
      },
      {
        status: "transaction_present",
        folder_schema_version: "1.1.0",
        supported_schema_version: "1.2.0",
        severity: "warning",
        action: { command: "dotaios doctor", path_scope: "configured_aios" },
      },
    ]);
  });

  it.each([256, 6_000, 32_000])(
    "[S8] uses its budget of %i though JSON escaping doubles the text",
    async (budget) => {
      const quotes = '"\\'.repeat(600);
      await using folder = createAios({
        "context/identity.md": quotes,
        "context/priorities.md": quotes,
        "memory/events.jsonl": json(
          Array.from({ length: 8 }, (_, at) => ({
            ts: `2026-11-30T10:00:0${at}Z`,
            summary: '"\u0001'.repeat(2_000),
          })),
        ),
      });
      const { markdown } = contextOf(folder.path, { budget });
      expect(markdown.length).toBeLessThanOrEqual(budget);
      if (budget > 256) expect(markdown.length).toBeGreaterThan(budget * 0.7);
    },
  );

  it("[S7] reads 16 MiB in all and fails at one byte more", async () => {
    const [under, on, over] = await Promise.all(
      edges(16 * MIB).map(async (total) => {
        const index = 8 * MIB;
        await using folder = createAios({
          "memory/sessions/index.jsonl": Buffer.alloc(index, "\n"),
          "memory/events.jsonl": Buffer.alloc(total - index - 5, "\n"),
          "context/work.md": "12345",
        });
        return codeOf(folder.path);
      }),
    );
    // The event log stays within its own 8 MiB.
    expect([under, on, over]).toEqual(["answered", "answered", "SOURCE_LIMIT"]);
  });

  const sources = [
    "context/identity.md",
    "context/priorities.md",
    "context/work.md",
    "decisions/log.md",
    "memory/daily/2026-11-30.md",
    "memory/daily/2026-11-29.md",
    "memory/sessions/index.jsonl",
    "memory/signals/2026-11-30.jsonl",
    "memory/events.jsonl",
    "projects/oak/README.md",
  ];

  it.each(sources)(
    "[S21] fails on a linked, special or changing %s and leaves the tree as it was",
    async (path) => {
      await using folder = createAios({ [path]: "text\n", "elsewhere.md": "text\n" });
      const file = join(folder.path, path);
      waitForTick(file);
      let isChanged = false;
      const disk = watchedDisk(({ method }) => {
        if (method !== "read" || isChanged) return;
        isChanged = true;
        writeFiles(folder.path, { [path]: "TEXT\n" });
      });
      expect(codeOf(folder.path, {}, disk)).toBe("SOURCE_CHANGED");

      rmSync(file);
      symlinkSync(join(folder.path, "elsewhere.md"), file);
      const linked = snapshotTree(folder.path);
      expect(codeOf(folder.path)).toBe("SOURCE_LINKED");
      expect(snapshotTree(folder.path)).toEqual(linked);

      rmSync(file);
      makePipe(file);
      const special = snapshotTree(folder.path);
      expect(codeOf(folder.path)).toBe("SOURCE_NOT_REGULAR");
      expect(snapshotTree(folder.path)).toEqual(special);
    },
  );

  it.each(sources.slice(0, -1))("[S21] fails on %s when its bytes are not UTF-8", async (path) => {
    await using folder = createAios({ [path]: Buffer.from([0x61, 0xff]) });
    expect(codeOf(folder.path)).toBe("SOURCE_NOT_UTF8");
  });

  it("[S22] leaves names and bytes as they were, whatever the call and however it ends", async () => {
    await using folder = createAios({
      "memory/events.jsonl": '{"ts":"2026-11-30T10:00:00Z","summary":"x"}\n{broken\n',
      "memory/signals/2026-11-30.jsonl": "{broken",
      "memory/sessions/index.jsonl": "[]\nnull\n",
      "projects/bad/README.md": "---\nid: [open\n---\n",
      ".dotaios/migrations/owner.json": "not ours",
    });
    const before = snapshotTree(folder.path);
    const calls: RawArguments[] = [
      {},
      { budget: 256 },
      { memory: "off" },
      { project: "bad" },
      { project: "unknown" },
      { limit: 0 },
    ];
    const codes = calls.map((given) => codeOf(folder.path, given));
    expect(codes).toEqual([
      "answered",
      "answered",
      "answered",
      "PROJECT_IDENTITY_INVALID",
      "SELECTOR_UNKNOWN",
      "ARGUMENT_RANGE",
    ]);
    expect(snapshotTree(folder.path)).toEqual(before);
  });

  it("never says a path, whatever goes wrong", async () => {
    await using folder = createAios({ "context/identity.md": Buffer.from([0xff]) });
    const failures = [
      () => contextOf(folder.path),
      () => contextOf(join(folder.path, "none")),
      () => contextOf(folder.path, { project: `${folder.path}/x` }),
    ];
    for (const failing of failures) {
      expect(failing).toThrow(AiosError);
      try {
        failing();
      } catch (error) {
        expect(reportFailure(error).sentence).not.toContain(folder.path);
      }
    }
  });
});

describe("limits", () => {
  it("names what S6 and S7 promise", () => {
    expect(limits).toMatchObject({
      maxSourceBytes: 16 * MIB,
      maxSourceFiles: 512,
      maxSourceEntries: 10_000,
      maxSignalEntries: 8_192,
    });
  });
});

describe("README.md", () => {
  it("shows a true answer", () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const examples = [...readme.matchAll(/```json\n(.*?)```/gs)].map(([, text]) =>
      JSON.parse(text!),
    );
    const shown = examples.find((example) => "markdown" in example);
    const answer = contextOf(sampleAios, { project: "tide", limit: 1, budget: 400 });
    expect({ ...shown, generated_at: "" }).toEqual({ ...answer, generated_at: "" });
  });
});
