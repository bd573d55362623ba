import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { sampleAios } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { sampleNoon } from "../test/clock.ts";
import { watchedDisk } from "../test/disk.ts";
import { createAios, snapshotTree } from "../test/folder.ts";
import { examineFolder } from "./doctor.ts";
import { limits } from "./limits.ts";
import type { InspectionCode } from "./reader/migration.ts";

const examine = (folder: string) => examineFolder({ folder, now: sampleNoon() });
const subjects = (folder: string) =>
  examine(folder).map(({ level, subject }) => `${level} ${subject}`);

describe("examineFolder", () => {
  it("finds nothing in a folder that is in order, and leaves it as it is", () => {
    const before = snapshotTree(sampleAios);
    expect(examine(sampleAios)).toEqual([]);
    expect(snapshotTree(sampleAios)).toEqual(before);
  });

  it("says where it cannot even begin", () => {
    expect(examine("/nowhere")).toEqual([
      {
        level: "error",
        subject: "aios.json",
        reason: "The configured folder is missing or holds no aios.json",
        remedy: "Start the server with --path and the right folder.",
      },
    ]);
  });

  it("names each source that fails a tool, one beside the other", async () => {
    await using folder = createAios({
      "context/identity.md": Buffer.from([0xff]),
      "decisions/log.md": Buffer.alloc(limits.maxDecisionLogBytes + 1),
      "memory/daily/2026-11-29.md/x": "",
      "other/x": "",
    });
    symlinkSync("other", join(folder.path, "projects"));
    symlinkSync("other", join(folder.path, "skills"));
    expect(subjects(folder.path)).toEqual([
      "error context/identity.md",
      "error decisions/log.md",
      "error memory/daily/2026-11-29.md",
      "error projects",
      "error skills",
      "error search of context",
      "warning search of decisions",
      "error search of skills",
    ]);
    expect(examine(folder.path)[1]).toMatchObject({
      reason: "Stopped at the decision log, because at most 4194304 bytes in this file are read",
      remedy: "Make it smaller.",
    });
  });

  it("names what is passed over: lines, projects and skills", async () => {
    await using folder = createAios({
      "memory/events.jsonl": '{"a":1}\n{"half\n\n[1]\n',
      "memory/signals/2026-01-02.jsonl": "x\n",
      "projects/Bad\u202eName/README.md": "",
      "projects/a/README.md": "---\nid: same\n---\n",
      "projects/b/README.md": "---\nid: same\n---\n",
      "skills/s/SKILL.md": "---\nname: 1\n---\n",
    });
    expect(subjects(folder.path)).toEqual([
      "warning memory/events.jsonl",
      "warning memory/signals/2026-01-02.jsonl",
      "warning projects/Bad?Name",
      "warning projects/a",
      "warning projects/b",
      "warning skills/s",
    ]);
    expect(examine(folder.path)[0]?.reason).toBe(
      "2 of its 3 lines are no JSON objects and are passed over",
    );
  });

  it("finds sources that are in order each and too much together", async () => {
    const names = Array.from({ length: 17 }, (_, at) => `projects/p${at}/README.md`);
    const readme = " ".repeat(limits.maxNoteBytes);
    await using folder = createAios(Object.fromEntries(names.map((name) => [name, readme])));
    expect(subjects(folder.path)).toEqual(["error read_working_context"]);
  });

  it.each<[InspectionCode | string, string, string]>([
    ["outdated", '{"schema_version":"1.1.0"}', "notice"],
    ["newer", '{"schema_version":"2.0.0"}', "warning"],
    ["no version", "{}", "warning"],
    ["no JSON", "{", "error"],
  ])("tells a schema that is %s", async (_, config, level) => {
    await using folder = createAios({ "aios.json": config });
    expect(subjects(folder.path)).toEqual([`${level} aios.json`]);
  });

  it("tells a vault that is nowhere, or that aios.json does not name as text", async () => {
    const config = (vault_path: unknown) => JSON.stringify({ schema_version: "1.2.0", vault_path });
    await using missing = createAios({ "aios.json": config("/nowhere") });
    expect(subjects(missing.path)).toEqual(["warning aios.json"]);
    await using wrong = createAios({ "aios.json": config(7) });
    expect(examine(wrong.path)).toMatchObject([
      { level: "error", remedy: "Make it a JSON object whose vault_path is a text or null." },
    ]);
  });

  it("tells what a search would fail with or leave out, scope by scope", async () => {
    await using folder = createAios({
      "references/large.md": Buffer.alloc(limits.maxSearchFileBytes + 1, "x"),
      "vault/a.md": "",
    });
    symlinkSync("a.md", join(folder.path, "vault/b.md"));
    expect(examine(folder.path)).toMatchObject([
      { level: "error", subject: "search of vault", remedy: "Use a real file." },
      {
        level: "warning",
        subject: "search of references",
        reason: "It is left out: file too large",
      },
    ]);
  });

  it("tells a migration that left something behind", async () => {
    const owner = '{\n  "schema": "dotaios.migrations.v1"\n}\n';
    await using folder = createAios({
      ".dotaios/migrations/owner.json": owner,
      ".dotaios/migrations/transactions/migrate-1_1_0-to-1_2_0-0123456789abcdef/journal.json": "",
    });
    expect(subjects(folder.path)).toEqual(["warning .dotaios/migrations/transactions"]);
    await using foreign = createAios({ ".dotaios/migrations/x": "" });
    expect(subjects(foreign.path)).toEqual(["warning .dotaios/migrations"]);
  });

  it("tells a file that may not be read, and not what the system said", async () => {
    await using folder = createAios({ "context/work.md": "" });
    const disk = watchedDisk(({ method, subject }) => {
      if (method === "openFile" && String(subject).endsWith("/work.md"))
        throw Object.assign(new Error("EACCES: secret"), { code: "EACCES", syscall: "open" });
    });
    const [found, searched] = examineFolder({ folder: folder.path, now: sampleNoon(), disk });
    expect(found).toEqual({
      level: "error",
      subject: "context/work.md",
      reason: "Cannot read the work note, because the system refused",
      remedy: "Check its permissions and the limit of open files.",
    });
    expect(searched).toMatchObject({ level: "error", subject: "search of context" });
  });
});
