import { describe, expect, it } from "vitest";
import type { RawArguments } from "../src/arguments/fields.ts";
import { createAiosServer } from "../src/server.ts";
import { type DiskCall, watchedDisk } from "./disk.ts";
import { createAios, snapshotTree } from "./folder.ts";

const NOON = new Date(2026, 10, 30, 12);
const SESSION = "memory/sessions/2026-11-30/2026-11-30T09-30-00_codex_a1b2c3.md";

const line = (row: object) => `${JSON.stringify(row)}\n`;
const session = {
  session_id: "a1b2c3d4",
  agent: "codex",
  captured_at: "2026-11-30T09:30:00.000Z",
  source_type: "manual",
  source_path: "/Users/ines/.codex/rollout.jsonl",
  project: "lantern",
  project_id: "prj-lantern-7",
  turns: 2,
  title: "Cache design",
  path: SESSION,
  content_hash: "00112233445566aa",
  access_count: 3,
};

/** Everything that the folder's program writes and that a tool shows, each with a word of its own. */
const SHOWN: Readonly<Record<string, string>> = {
  "context/identity.md": "---\nupdated: 2026-11-01\n---\nwordidentity",
  "context/priorities.md": "wordpriorities",
  "context/work.md": "# Work\n\n## Current Work\nwordwork\n\n## Rhythm\nwordrhythm",
  "context/north-star.md": "wordnorth",
  "context/preferences.md": "wordpreferences",
  "context/domains/build.md": "worddomain",
  "memory/events.jsonl": line({
    ts: "2026-11-30T09:00:00.000Z",
    type: "decision",
    project: "lantern",
    domain: "build",
    summary: "wordevent",
    record_id: "r-1",
  }),
  "memory/signals/2026-11-29.jsonl": line({ ts: "2026-11-29T09:00:00Z", note: "wordsignal" }),
  "memory/signals/workshop-2026-11-30.jsonl": line({ type: "idea", summary: "wordmachine" }),
  "memory/signals/undated.jsonl": line({ ts: "2026-11-30T09:00:00Z", summary: "wordundated" }),
  "memory/events-archive.jsonl": line({ summary: "wordactive" }),
  "memory/events-archive.000001.jsonl": line({ summary: "wordshard" }),
  "memory/signals-archive.jsonl": line({ summary: "wordclosing" }),
  "memory/signals-archive.000001.jsonl": line({ summary: "wordrusty" }),
  "memory/daily/2026-11-30.md":
    "# Monday\n\n## Focus\n\nwordfocus\n\n## Plan\n- [ ] wordplan\n\n## Brief\nwordbrief\n",
  "memory/daily/2026-11-29.md": "## Close\n### Carry-over\n- wordcarried\n",
  "memory/inbox/2026-11-30-phone.md": "wordinbox",
  [SESSION]:
    '---\nagent: codex\nsession_id: "a1b2c3d4"\nbody_encoding: escaped-lines-v1\nschema: 1\n---\n**user · 09:30**\n\nwordsession\n',
  "vault/wiki/a.md": "wordwiki",
  "vault/raw/a.md": "wordraw",
  "vault/outputs/a.md": "wordoutput",
  "vault/org/companies/a.md": "wordcompany",
  "vault/org/people/a.md": "wordperson",
  "decisions/log.md": "# Decisions\n\n## 2026-11-30 worddecision\n\nBecause of wordreason.\n",
  "references/a.md": "wordreference",
  "skills/INDEX.md": "wordindex",
  "skills/RESOLVER.md": "wordresolver",
  "skills/today/SKILL.md": "---\nname: today\ndescription: wordskill\n---\n# Today\n",
  "plugins/export/manifest.json": '{"description":"wordmanifest"}',
  "plugins/export/README.md": "wordplugin",
};

/** What the same program writes as well and no tool ever opens. */
const UNREAD: Readonly<Record<string, string>> = {
  ".env": "TOKEN=wordsecret",
  ".env.example": "wordexample",
  ".gitignore": "/workspaces/",
  ".cursorrules": "wordrules",
  "AGENTS.md": "wordagents",
  "CLAUDE.md": "wordclaude",
  "README.md": "wordreadme",
  "FIRST_SESSION.md": "wordfirst",
  "schedules.yml": "- name: wordschedule",
  "archives/a.md": "wordarchived",
  "connections/registry.md": "wordregistry",
  "connections/apis/a.md": "wordapi",
  "workspaces/lantern/README.md": "wordcheckout",
  "memory/errors.jsonl": line({ summary: "worderror" }),
  "memory/events.jsonl.pending": line({ summary: "wordpending" }),
  "memory/events.jsonl.lock": "wordlock",
  "memory/events.bad.jsonl": line({ summary: "wordbad" }),
  "memory/events.rotation-format": "wordrotation",
  "memory/signals/deeper/2026-11-30.jsonl": line({ summary: "worddeeper" }),
  "memory/sessions/2026-11-30/unlisted.md": "wordunlisted",
  "skills/_registry.json": '{"word":"wordcatalog"}',
  "plugins/export/package.json": '{"word":"wordpackage"}',
  ".dotaios/notes.md": "wordprivate",
};

/** What only a search of its own project shows. */
const PROJECT: Readonly<Record<string, string>> = {
  "projects/lantern/README.md":
    "---\r\nid: prj-lantern-7\r\nproject: lamp\r\nname: Lantern\r\nstatus: active\r\ndomain: [build]\r\ndescription: worddescription\r\nrepo_url: https://example.org/lantern\r\n---\r\n# Lantern\r\n\r\nwordproject\r\n",
  "projects/lantern/notes/plan.md": "wordprojectplan",
};

const CONFIG = {
  schema_version: "1.2.0",
  created_at: "2026-03-02T08:15:00.000Z",
  ai_tools: ["codex"],
  vault_path: null,
  skills_first: true,
  something_new: { a: [1] },
};

function createFullFolder() {
  return createAios({
    ...SHOWN,
    ...UNREAD,
    ...PROJECT,
    "memory/sessions/index.jsonl": `${line(session)}{"broken\n[1]\n`,
    "aios.json": `${JSON.stringify(CONFIG, null, 2)}\n`,
  });
}

const wordOf = (text: string) => /word[a-z]+/.exec(text)?.[0] ?? "";

describe("the whole layout of an AIOS folder", () => {
  it("[S1] is found by search where the program writes it, and its other files are never opened", async () => {
    await using folder = await createFullFolder();
    const opened = new Set<string>();
    const disk = watchedDisk(({ method, subject }: DiskCall) => {
      if (method !== "openFile") return;
      // Through a folder's descriptor only the last name is told; those are enough to tell the two lists apart.
      opened.add(String(subject).split("/").at(-1)!);
    });
    const { searchAios } = createAiosServer({ folder: folder.path, version: "1.0.0", disk });
    const search = (query: string, given: RawArguments = {}) =>
      JSON.parse(searchAios({ query, ...given })).results as { source: string }[];

    for (const [path, text] of Object.entries(SHOWN)) {
      const found = search(wordOf(text)).map(({ source }) => source);
      expect(found).toEqual([path === SESSION ? `sessions/${path}` : path]);
    }
    for (const [path, text] of Object.entries(PROJECT)) {
      expect(search(wordOf(text))).toEqual([]);
      expect(search(wordOf(text), { project: "prj-lantern-7" })).toMatchObject([{ source: path }]);
    }
    for (const text of Object.values(UNREAD))
      if (wordOf(text) !== "") expect(search(wordOf(text))).toEqual([]);
    const readable = new Set(
      Object.keys({ ...SHOWN, ...PROJECT }).map((path) => path.split("/").at(-1)),
    );
    for (const path of Object.keys(UNREAD)) {
      const name = path.split("/").at(-1)!;
      if (!readable.has(name)) expect(opened).not.toContain(name);
    }
  });

  it("[S1] makes the working context from its notes, records and sections", async () => {
    await using folder = await createFullFolder();
    const { readWorkingContext } = createAiosServer({
      folder: folder.path,
      version: "1.0.0",
      now: () => NOON,
    });
    const { markdown } = readWorkingContext({ limit: 10 });
    const shown = markdown.match(/word[a-z]+/g);
    expect(shown).toEqual([
      "wordidentity",
      "wordpriorities",
      "wordwork",
      "worddecision",
      "wordfocus",
      "wordplan",
      "wordcarried",
      "worddescription",
      "wordproject",
      "wordmachine",
      "wordsignal",
      "wordevent",
    ]);
    expect(markdown).toContain('- 2026-11-30 · codex · lantern · "Cache design" (2 turns)');
    expect(markdown).toContain("- Lantern · active · build");
    for (const project of ["lantern", "lamp", "prj-lantern-7"])
      expect(readWorkingContext({ project })).toMatchObject({ scope: { project: "lantern" } });
  });

  it("[S1] resolves its skills, and is left as it was by every tool", async () => {
    await using folder = await createFullFolder();
    const before = snapshotTree(folder.path);
    const server = createAiosServer({ folder: folder.path, version: "1.0.0", now: () => NOON });
    const { matches } = JSON.parse(server.resolveSkill({ intent: "wordskill", limit: 10 }));
    expect(matches).toMatchObject([{ name: "today", resource: "skills/today/SKILL.md" }]);
    server.readWorkingContext({});
    server.searchAios({ query: "word" });
    expect(snapshotTree(folder.path)).toEqual(before);
  });

  it("[S1] shows of a session what its row says, and not where it was on a machine", async () => {
    await using folder = await createFullFolder();
    const { searchAios } = createAiosServer({ folder: folder.path, version: "1.0.0" });
    const text = searchAios({ query: "cache design", scope: "sessions" });
    expect(JSON.parse(text).results).toMatchObject([
      {
        source: `sessions/${SESSION}`,
        file: SESSION,
        title: "Cache design",
        agent: "codex",
        date: "2026-11-30",
        session_id: "a1b2c3d4",
        project: "lantern",
      },
    ]);
    expect(text).not.toContain("rollout");
  });
});
