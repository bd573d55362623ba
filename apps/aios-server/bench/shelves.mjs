// Makes an AIOS folder whose shelves are all full: 329 files, 15 of the 16 MiB that one working context may read.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const DAY_MS = 24 * 60 * 60 * 1000;
const SENTENCE = "Weather from the north, tables on the shelf, nothing else. ";
const NOTE_BYTES = 1_000_000;
const PROJECTS = 256;
const SIGNAL_FILES = 64;

/** Writes the folder for a day and gives the paths of its files. */
export function makeFullShelves(folder, now) {
  const [today, yesterday] = [dateOf(now), dateOf(new Date(now.getTime() - DAY_MS))];
  const files = {
    "aios.json": '{"schema_version":"1.2.0"}',
    "context/identity.md": prose(NOTE_BYTES),
    "context/priorities.md": prose(NOTE_BYTES),
    "context/work.md": prose(NOTE_BYTES),
    "decisions/log.md": list(9_000, (at) => `## Decision ${at}\n\n${prose(400)}\n`),
    [`memory/daily/${today}.md`]: `## Focus\nOne thing\n## Plan\n- ${prose(NOTE_BYTES)}`,
    [`memory/daily/${yesterday}.md`]: `## Close\n${prose(NOTE_BYTES)}`,
    "memory/sessions/index.jsonl": list(12_000, (at) => `${JSON.stringify(session(at))}\n`),
    "memory/events.jsonl": list(12_000, (at) => `${JSON.stringify(event(at, "2026-01-10"))}\n`),
  };
  for (let at = 0; at < SIGNAL_FILES; at++) {
    const day = at % 2 === 0 ? today : yesterday;
    files[`memory/signals/machine${at}-${day}.jsonl`] = list(
      40,
      (row) => `${JSON.stringify(event(row, day))}\n`,
    );
  }
  for (let at = 0; at < PROJECTS; at++)
    files[`projects/p-${at}/README.md`] =
      `---\nid: prj-${at}\nname: Project ${at}\nstatus: active\n---\n# Project ${at}\n\n${prose(600)}`;
  return Object.entries(files).map(([path, text]) => {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    return target;
  });
}

function session(at) {
  return {
    session_id: `s${at}`,
    agent: "codex",
    captured_at: new Date(Date.UTC(2026, 0, 10) + at * 60_000).toISOString(),
    project: `p-${at % PROJECTS}`,
    turns: 6,
    title: `Session ${at}`,
    path: `memory/sessions/2026-01-10/s${at}.md`,
  };
}

function event(at, day) {
  return {
    ts: `${day}T10:00:00.${String(at % 1_000).padStart(3, "0")}Z`,
    type: "note",
    project: `p-${at % PROJECTS}`,
    summary: `Event ${at}. ${prose(120)}`,
  };
}

function list(count, make) {
  return Array.from({ length: count }, (_, at) => make(at)).join("");
}

function prose(length) {
  return SENTENCE.repeat(Math.ceil(length / SENTENCE.length)).slice(0, length);
}

function dateOf(day) {
  const month = String(day.getMonth() + 1).padStart(2, "0");
  return `${day.getFullYear()}-${month}-${String(day.getDate()).padStart(2, "0")}`;
}
