import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { MIB } from "@core/bounds";
import { createTempFolder, edges, sampleAios } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { type DiskCall, trappedDisk, watchedDisk } from "../../test/disk.ts";
import { createAios, makePipe, snapshotTree, waitForTick, writeFiles } from "../../test/folder.ts";
import type { RawArguments } from "../arguments/fields.ts";
import type { Disk } from "../reader/disk.ts";
import { reportFailure } from "../response/failure.ts";
import { createAiosServer } from "../server.ts";

const NOON = () => new Date(2026, 10, 30, 12);
/** Late enough for everything on the disk to be kept. */
const LATER = () => new Date(Date.now() + 3_600_000);

type Result = { scope: string; source: string; file?: string; summary?: string };
interface Answer {
  readonly results: readonly Result[];
  readonly complete: boolean;
  readonly omissions: readonly {
    scope: string;
    reason: string;
    observed: object;
    inspection: string;
  }[];
  readonly [key: string]: unknown;
}

function serverOf(folder: string, { disk, now = NOON }: { disk?: Disk; now?: () => Date } = {}) {
  return createAiosServer({
    folder,
    version: "1.0.0",
    home: "/nowhere",
    now,
    ...(disk && { disk }),
  });
}

function search(folder: string, given: RawArguments = {}, disk?: Disk): Answer {
  const server = serverOf(folder, disk ? { disk } : {});
  return JSON.parse(server.searchAios({ query: "tide", budget: 32_000, ...given }));
}

function codeOf(folder: string, given: RawArguments = {}, disk?: Disk): string {
  try {
    return search(folder, given, disk).complete ? "complete" : "incomplete";
  } catch (error) {
    return reportFailure(error).code;
  }
}

const files = ({ results }: Answer) => results.map(({ source }) => source);
const json = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

describe("search_aios", () => {
  it("[S9] looks into eight scopes of the sample folder, and into three of a project", () => {
    const shared = search(sampleAios, { query: "datum", limit: 20 });
    expect(shared).toMatchObject({ complete: true, omissions: [], scope: "all", query: "datum" });
    expect(new Set(shared.results.map(({ scope }) => scope))).toEqual(
      new Set(["sessions", "context", "memory", "vault", "decisions", "skills", "references"]),
    );
    const own = search(sampleAios, { query: "datum", project: "prj-tidewater-4f2", limit: 20 });
    expect(new Set(own.results.map(({ scope }) => scope))).toEqual(
      new Set(["sessions", "memory", "projects"]),
    );
    expect(own.scope_selection).toEqual({ project: "tidewater", project_id: "prj-tidewater-4f2" });
  });

  it("[S9] finds the files of each scope, and no hidden, foreign or secret ones", async () => {
    const found = [
      "context/a.md",
      "context/deep/er/B.MD",
      "decisions/log.md",
      "memory/daily/2026-11-30.md",
      "memory/inbox/x.md",
      "plugins/p/README.md",
      "plugins/p/manifest.json",
      "references/r.md",
      "skills/s/SKILL.md",
      "vault/v.md",
    ];
    const passed = [
      "context/.hidden.md",
      "context/node_modules/x.md",
      "context/.git/x.md",
      "context/x.txt",
      "vault/credentials.md",
      "vault/Token.old.md",
      "vault/token/x.md",
      "vault/cert.pem",
      "vault/a.key/x.md",
      "memory/errors.jsonl",
      "memory/x.md",
      "plugins/p/package.json",
      "projects/p/README.md",
      "archives/x.md",
      "README.md",
    ];
    const text = Object.fromEntries([...found, ...passed].map((path) => [path, "tide"]));
    await using folder = createAios(text);
    expect(files(search(folder.path, { limit: 20 })).sort()).toEqual(found);
    expect(files(search(folder.path, { scope: "plugins" }))).toEqual([
      "plugins/p/README.md",
      "plugins/p/manifest.json",
    ]);
  });

  it("[S9] counts its limit for each scope, and takes missing folders for empty", async () => {
    const many = Array.from({ length: 25 }, (_, at) => [`context/${at}.md`, "tide"]);
    await using folder = createAios(Object.fromEntries([...many, ["vault/a.md", "tide"]]));
    const answer = search(folder.path, { limit: 20 });
    expect(answer.results.filter(({ scope }) => scope === "context")).toHaveLength(20);
    expect(answer.results.filter(({ scope }) => scope === "vault")).toHaveLength(1);
    expect(answer.complete).toBe(true);
  });

  it("[S4] shows a project's own files and records alone, by slug, id and alias in records", async () => {
    await using folder = createAios({
      "projects/oak/README.md": "---\nid: prj-o\nproject: tree\n---\ntide",
      "projects/oak/deep/a.md": "tide",
      "projects/elm/README.md": "---\nid: prj-e\n---\ntide",
      "projects/bad/README.md": "---\nid: [open\n---\n",
      "memory/daily/2026-11-30.md": "tide",
      "memory/events.jsonl": json(
        { project: "tree", project_id: null, summary: "tide by alias" },
        { project_id: "prj-o", summary: "tide by id" },
        { project: "oak", project_id: "prj-e", summary: "tide in dispute" },
        { summary: "tide of nobody" },
        { project: "elm", summary: "tide of another" },
      ),
      "memory/sessions/index.jsonl": json(
        { project: "oak", title: "tide", path: "memory/sessions/a.md" },
        { project: "elm", title: "tide", path: "memory/sessions/b.md" },
        { project: "elm", title: "tide", path: "/etc/passwd" },
      ),
    });
    const answer = search(folder.path, { project: "oak" });
    expect(files(answer).sort()).toEqual([
      "memory/events.jsonl",
      "memory/events.jsonl",
      "projects/oak/README.md",
      "projects/oak/deep/a.md",
      "sessions/memory/sessions/a.md",
    ]);
    expect(answer.results.flatMap(({ summary }) => summary ?? []).sort()).toEqual([
      "tide by alias",
      "tide by id",
    ]);
    expect(answer.skipped).toEqual({ projects: 1 });
  });

  it("[S5] selects by folder name and id, not by alias, and tells unknown, ambiguous and broken apart", async () => {
    await using folder = createAios({
      "projects/oak/README.md": "---\nid: elm\nproject: tree\n---\n",
      "projects/elm/README.md": "",
      "projects/bad/README.md": "---\nid: [open\n---\n",
    });
    const code = (project: string) => codeOf(folder.path, { project });
    expect(["oak", "tree", "none", "elm", "bad"].map(code)).toEqual([
      "complete",
      "SELECTOR_UNKNOWN",
      "SELECTOR_UNKNOWN",
      "SELECTOR_AMBIGUOUS",
      "PROJECT_IDENTITY_INVALID",
    ]);
  });

  it("[S3] refuses arguments, policy and scope in that order, before any look", () => {
    const code = (given: RawArguments) => codeOf("/nowhere", given, trappedDisk);
    expect(code({ memory: "off", limit: 0 })).toBe("ARGUMENT_RANGE");
    expect(code({ memory: "project", scope: "vault" })).toBe("MEMORY_NEEDS_PROJECT");
    expect(code({ project: "x", scope: "vault" })).toBe("SCOPE_NOT_SERVED");
    expect(code({ scope: "projects" })).toBe("SCOPE_NEEDS_PROJECT");
    expect(code({ memory: "off", scope: "projects" })).toBe("complete");
    expect(codeOf("/nowhere/at/all")).toBe("FOLDER_NOT_AIOS");
  });

  it("[S17] ranks sessions by what their rows and their texts say, like everything else", async () => {
    const body = (text: string) => `---\nagent: claude\n---\n**user · 10:00**\n\n${text}\n`;
    const row = (name: string, fields: object) => ({
      agent: "claude",
      captured_at: "2026-11-30T09:00:00Z",
      path: `memory/sessions/2026-11-30/${name}.md`,
      ...fields,
    });
    await using folder = createAios({
      "memory/sessions/index.jsonl": json(
        row("some", { title: "Tables" }),
        row("words", { title: "About tides", session_id: "s-1" }),
        row("phrase", { title: "x", project: "oak" }),
        row("title", { title: "Tide table" }),
        row("missing", { title: "x", project_id: "tide table" }),
        { ...row("none", { title: "x" }), path: null },
      ),
      "memory/sessions/2026-11-30/some.md": body("no more"),
      "memory/sessions/2026-11-30/words.md": body("the table"),
      "memory/sessions/2026-11-30/phrase.md": body("a\ntide table\nb"),
      "memory/sessions/2026-11-30/title.md": body("nothing"),
    });
    const answer = search(folder.path, { query: "tide table", scope: "sessions" });
    expect(answer.results.map(({ source }) => source.split("/").at(-1))).toEqual([
      "title.md",
      "missing.md",
      "phrase.md",
      "words.md",
      "some.md",
    ]);
    expect(answer.results[2]).toEqual({
      scope: "sessions",
      source: "sessions/memory/sessions/2026-11-30/phrase.md",
      file: "memory/sessions/2026-11-30/phrase.md",
      title: "x",
      agent: "claude",
      date: "2026-11-30",
      session_id: null,
      project: "oak",
      matches: [
        { line: 6, lineEnd: 8, content: "a / tide table / b", match: "phrase", area: "body" },
      ],
    });
  });

  it.each([
    "/etc/passwd",
    "",
    "memory/sessions/../../x.md",
    "memory/events.jsonl",
    "memory/sessions//x",
    "a\\b",
  ])("[S21] fails on a session that points to %j, whatever it is about", async (path) => {
    await using folder = createAios({ "memory/sessions/index.jsonl": json({ title: "x", path }) });
    expect(codeOf(folder.path)).toBe("SOURCE_PATH_UNSAFE");
    expect(codeOf(folder.path, { scope: "context" })).toBe("complete");
  });

  it("[S18] folds accents, forms and case of any script in all that it searches", async () => {
    await using folder = createAios({
      "vault/a.md": "Das CAFÉ",
      "memory/events.jsonl": json({ summary: "un ca\u0301fe\u0301" }),
      "memory/sessions/index.jsonl": json({ title: "Ｃａｆé" }),
    });
    expect(files(search(folder.path, { query: "cafe" })).sort()).toEqual([
      "memory/events.jsonl",
      "sessions/index.jsonl",
      "vault/a.md",
    ]);
  });

  it("interleaves records, daily notes and the inbox of the memory", async () => {
    await using folder = createAios({
      "memory/events.jsonl": json({ summary: "tide 1" }, { summary: "tide 2" }),
      "memory/daily/2026-11-30.md": "tide",
      "memory/inbox/a.md": "tide",
    });
    expect(files(search(folder.path, { limit: 3 }))).toEqual([
      "memory/events.jsonl",
      "memory/daily/2026-11-30.md",
      "memory/inbox/a.md",
    ]);
  });

  it("[S16] searches a vault outside of the folder and shows nothing of where it is", async () => {
    await using outside = createTempFolder();
    writeFiles(outside.path, {
      "wiki/a.md": `tide, see ${outside.path}/wiki/b.md`,
      ".obsidian/x.md": "tide",
    });
    await using folder = createAios({
      "aios.json": JSON.stringify({ vault_path: outside.path }),
      "vault/not.md": "tide",
    });
    const answer = search(folder.path, { scope: "vault" });
    expect(files(answer)).toEqual(["vault/wiki/a.md"]);
    expect(JSON.stringify(answer)).not.toContain(outside.path);
    const { searchAios } = serverOf(folder.path, { now: LATER });
    await using elsewhere = createTempFolder();
    const link = join(elsewhere.path, "link");
    symlinkSync(outside.path, link);
    writeFiles(folder.path, { "aios.json": JSON.stringify({ vault_path: link }) });
    for (let time = 0; time < 3; time++)
      expect(files(JSON.parse(searchAios({ query: "tide" })))).toEqual(["vault/wiki/a.md"]);

    rmSync(outside.path, { recursive: true });
    expect(search(folder.path, { scope: "vault" })).toMatchObject({ complete: true, results: [] });
    mkdirSync(outside.path);
  });
});

describe("the ceilings of a search", () => {
  it("[S10] leaves out a scope with a file of more than 4 MiB, and answers from the others", async () => {
    const [under, on, over] = await Promise.all(
      edges(4 * MIB).map(async (bytes) => {
        await using folder = createAios({
          "vault/big.md": Buffer.alloc(bytes, "x"),
          "context/a.md": "tide",
        });
        return search(folder.path);
      }),
    );
    for (const answer of [under, on])
      expect(answer).toMatchObject({ complete: true, omissions: [] });
    expect(over).toMatchObject({ complete: false, results: [{ source: "context/a.md" }] });
    expect(over?.omissions).toEqual([
      {
        scope: "vault",
        reason: "file_too_large",
        observed: { files: 1, bytes: 4 * MIB + 1, entries: 0 },
        inspection: "not_searched",
        recovery: { code: "split_or_move_file", message: expect.any(String) },
      },
    ]);
  });

  it("[S10] leaves out a scope with a folder of more than 8,192 entries", async () => {
    await using folder = createAios({ "context/a.md": "tide" });
    mkdirSync(join(folder.path, "vault"));
    for (let at = 0; at < 8_192; at++) symlinkSync("x", join(folder.path, "vault", `${at}`));
    expect(codeOf(folder.path)).toBe("complete");
    symlinkSync("x", join(folder.path, "vault/more"));
    const answer = search(folder.path);
    expect(answer).toMatchObject({ complete: false, results: [{ source: "context/a.md" }] });
    expect(answer.omissions).toEqual([
      expect.objectContaining({
        scope: "vault",
        reason: "directory_entries_exceeded",
        observed: { files: 0, bytes: 0, entries: 8_193 },
        inspection: "partially_enumerated",
      }),
    ]);
  });

  it("[S10] fails on links, special files, bad UTF-8 and a bad configuration instead", async () => {
    const spoil: Record<string, (root: string) => void> = {
      SOURCE_LINKED: (root) => symlinkSync("../aios.json", join(root, "vault/a.md")),
      SOURCE_NOT_REGULAR: (root) => makePipe(join(root, "vault/a.md")),
      SOURCE_NOT_UTF8: (root) => writeFileSync(join(root, "vault/a.md"), Buffer.from([0xff])),
      CONFIG_INVALID: (root) => writeFileSync(join(root, "aios.json"), "{"),
      SOURCE_LIMIT: (root) => writeFileSync(join(root, "aios.json"), Buffer.alloc(MIB + 1, " ")),
    };
    for (const [code, act] of Object.entries(spoil)) {
      await using folder = createAios({ "vault/b.txt": "", "context/c.md": "tide" });
      act(folder.path);
      const before = snapshotTree(folder.path);
      expect(codeOf(folder.path)).toBe(code);
      expect(snapshotTree(folder.path)).toEqual(before);
    }
  });

  it("ignores links and special files that it would not read anyway", async () => {
    await using folder = createAios({ "vault/a.md": "tide", "outside/b.md": "tide" });
    symlinkSync("../outside", join(folder.path, "vault/linked"));
    symlinkSync("x", join(folder.path, "vault/link.txt"));
    makePipe(join(folder.path, "vault/pipe"));
    expect(files(search(folder.path))).toEqual(["vault/a.md"]);
  });
});

describe("a folder that changes while it is searched", () => {
  const changes: Record<string, (root: string) => void> = {
    "a note is rewritten and its times restored": (root) => {
      const path = join(root, "vault/a.md");
      const { atime, mtime } = statSync(path);
      writeFileSync(path, "TIDE");
      utimesSync(path, atime, mtime);
    },
    "a note is replaced": (root) => {
      writeFileSync(join(root, "new"), "tide");
      renameSync(join(root, "new"), join(root, "vault/a.md"));
    },
    "a note is added": (root) => writeFileSync(join(root, "vault/b.md"), "tide"),
    "a record is appended": (root) => appendFileSync(join(root, "memory/events.jsonl"), "{}\n"),
    "the configuration changes": (root) => writeFileSync(join(root, "aios.json"), '{"a":1}'),
    "a session's text is gone": (root) => unlinkSync(join(root, "memory/sessions/s.md")),
  };
  const content = {
    "vault/a.md": "tide",
    "memory/events.jsonl": json({ summary: "tide" }),
    "memory/sessions/index.jsonl": json({ title: "tide", path: "memory/sessions/s.md" }),
    "memory/sessions/s.md": "tide",
  };

  it.each(Object.keys(changes))(
    "[S21] is not answered from when %s after the last read",
    async (name) => {
      await using folder = createAios(content);
      for (const path of Object.keys(content)) waitForTick(join(folder.path, path));
      const reads: number[] = [];
      let at = 0;
      const count = watchedDisk(({ method }) => {
        at++;
        if (method === "read") reads.push(at);
      });
      expect(codeOf(folder.path, {}, count)).toBe("complete");
      const last = reads.at(-1)!;
      let step = 0;
      // Behind the last read and its close come the looks again.
      const disk = watchedDisk(() => {
        if (++step === last + 2) changes[name]!(folder.path);
      });
      expect(codeOf(folder.path, {}, disk)).toBe("SOURCE_CHANGED");
      expect(codeOf(folder.path)).toBe("complete");
    },
  );

  it.each(Object.keys(changes))(
    "[S21] is searched as it is the next time when %s in between",
    async (name) => {
      await using folder = createAios(content);
      const { searchAios } = serverOf(folder.path, { now: LATER });
      const sources = () => {
        const { results } = JSON.parse(searchAios({ query: "tide", budget: 32_000 })) as Answer;
        return results.map(({ source, ...rest }) => `${source} ${JSON.stringify(rest)}`).sort();
      };
      sources();
      waitForTick(join(folder.path, "vault/a.md"));
      changes[name]!(folder.path);
      const fresh = search(folder.path);
      expect(sources()).toEqual(
        fresh.results.map(({ source, ...rest }) => `${source} ${JSON.stringify(rest)}`).sort(),
      );
    },
  );

  it("[S22] leaves names and bytes as they were, whatever is asked", async () => {
    await using folder = createAios(content);
    const before = snapshotTree(folder.path);
    for (const given of [
      {},
      { memory: "off" },
      { project: "none" },
      { scope: "vault" },
      { limit: 0 },
    ])
      codeOf(folder.path, given);
    expect(snapshotTree(folder.path)).toEqual(before);
  });
});

describe("what a search keeps in memory", () => {
  it("gives the same answers as reading everything anew, with no read at all", () => {
    const calls: DiskCall["method"][] = [];
    const disk = watchedDisk(({ method }) => void calls.push(method));
    const kept = serverOf(sampleAios, { now: LATER, disk });
    for (const query of ["datum", "Saint Brannoc", "harbour packs", "plans", "nothing at all"])
      for (const project of [undefined, "tidewater"]) {
        const given = { query, budget: 32_000, ...(project && { project }) };
        const first = kept.searchAios(given);
        calls.length = 0;
        expect(kept.searchAios(given)).toBe(first);
        expect(serverOf(sampleAios, { now: LATER }).searchAios(given)).toBe(first);
        // The configuration, and the READMEs by which a project is known, are always read.
        expect(calls.filter((method) => method === "read").length).toBe(project ? 4 : 1);
      }
  });
});

describe("a search that is cancelled", () => {
  it("[S19] stops reading at once", async () => {
    const many = Array.from({ length: 50 }, (_, at) => [`vault/${at}.md`, "tide"]);
    await using folder = createAios(Object.fromEntries(many));
    let reads = 0;
    const disk = watchedDisk(({ method }) => {
      if (method === "read") reads++;
    });
    const { searchAios } = serverOf(folder.path, { disk });
    const checkpoint = () => {
      if (reads > 10) throw new Error("cancelled");
    };
    expect(() => searchAios({ query: "tide" }, checkpoint)).toThrow("cancelled");
    expect(reads).toBe(11);
  });
});
