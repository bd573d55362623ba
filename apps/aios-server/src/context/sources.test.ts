import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { createAios } from "../../test/folder.ts";
import { openForTest } from "../../test/reading.ts";
import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import { readSources } from "./sources.ts";

const days = { today: "2026-11-30", yesterday: "2026-11-29" };

function read(folder: string, project?: string) {
  using reader = openForTest(folder, project);
  return readSources(reader, days);
}

/** How reading one file ends when it is one byte under, at and one byte over its limit. */
async function atEdges(path: string, maximum: number) {
  const outcomes: string[] = [];
  for (const size of edges(maximum)) {
    await using folder = createAios({ [path]: Buffer.alloc(size, "\n") });
    try {
      read(folder.path);
      outcomes.push("read");
    } catch (error) {
      outcomes.push((error as AiosError).code);
    }
  }
  return outcomes;
}

describe("readSources", () => {
  it("takes missing files for empty ones", async () => {
    await using folder = createAios();
    const { notes, sessions, signals, events, catalog } = read(folder.path);
    expect(new Set(Object.values(notes!))).toEqual(new Set([""]));
    expect([sessions, signals, events, catalog.projects]).toEqual([[], [], [], []]);
  });

  it.each([
    ["context/identity.md", limits.maxNoteBytes],
    ["context/priorities.md", limits.maxNoteBytes],
    ["context/work.md", limits.maxNoteBytes],
    ["memory/daily/2026-11-30.md", limits.maxNoteBytes],
    ["memory/daily/2026-11-29.md", limits.maxNoteBytes],
    ["memory/signals/2026-11-30.jsonl", limits.maxNoteBytes],
    ["projects/oak/README.md", limits.maxNoteBytes],
    ["decisions/log.md", limits.maxDecisionLogBytes],
    ["memory/sessions/index.jsonl", limits.maxSessionIndexBytes],
    ["memory/events.jsonl", limits.maxEventLogBytes],
  ])("[S7] reads %s up to %i bytes and fails at one more", async (path, maximum) => {
    expect(await atEdges(path, maximum)).toEqual(["read", "read", "SOURCE_LIMIT"]);
  });

  it("[S7] reads 64 recent signal files and fails at 65", async () => {
    const outcomes: unknown[] = [];
    for (const count of edges(limits.maxSignalFiles)) {
      const names = Array.from(
        { length: count },
        (_, at) => `memory/signals/m${at}-2026-11-30.jsonl`,
      );
      await using folder = createAios(
        Object.fromEntries(names.map((name) => [name, '{"summary":"x"}\n'])),
      );
      try {
        outcomes.push(read(folder.path).signals.length);
      } catch (error) {
        outcomes.push((error as AiosError).message);
      }
    }
    expect(outcomes).toEqual([
      63,
      64,
      "Stopped at the signals folder, because at most 64 files of today and yesterday are read; make it smaller",
    ]);
  });

  it("[S6] takes every event that may be of today or yesterday, however its date is written", async () => {
    const lines = [
      '{"ts":"2026-11-28T10:00:00Z","summary":"old"}',
      '{"ts":"2026-11-29T10:00:00Z","summary":"a"}',
      '{"ts":"2026-11-3\\u0030T10:00:00Z","summary":"b"}',
      '{"summary":"told of 2026-11-30, of no day"}',
      '{"summary":"of no day"}',
    ];
    await using folder = createAios({ "memory/events.jsonl": lines.join("\n") });
    expect(read(folder.path).events.map(({ summary }) => summary)).toEqual([
      "a",
      "b",
      "told of 2026-11-30, of no day",
    ]);
  });

  it("opens only the signal files of today and yesterday", async () => {
    await using folder = createAios({
      "memory/signals/2026-11-30.jsonl": '{"n":1}\n',
      "memory/signals/laptop-2026-11-29.jsonl": '{"n":2}\n{"n":3}',
      "memory/signals/2026-11-28.jsonl": Buffer.from([0xff]),
      "memory/signals/undated.jsonl": Buffer.from([0xff]),
      "memory/signals/2026-11-30.jsonl.lock": Buffer.from([0xff]),
    });
    expect(read(folder.path).signals).toEqual([
      { row: { n: 1 }, date: "2026-11-30" },
      { row: { n: 2 }, date: "2026-11-29" },
      { row: { n: 3 }, date: "2026-11-29" },
    ]);
  });

  it("[S4] does not open the shared notes for one project", async () => {
    const bad = Buffer.from([0xff]);
    await using folder = createAios({
      "context/identity.md": bad,
      "context/priorities.md": bad,
      "context/work.md": bad,
      "decisions/log.md": bad,
      "memory/daily/2026-11-30.md": bad,
      "memory/daily/2026-11-29.md": bad,
    });
    expect(read(folder.path, "oak").notes).toBeUndefined();
    expect(() => read(folder.path)).toThrow(AiosError);
  });
});
