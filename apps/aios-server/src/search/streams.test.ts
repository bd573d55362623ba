import { describe, expect, it } from "vitest";
import type { Row } from "../reader/rows.ts";
import { createPattern } from "./pattern.ts";
import { rankRecords, type StreamFile, streamPartOf } from "./streams.ts";
import { foldText } from "./word.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const line = (row: object) => JSON.stringify(row);

function file(path: string, ...lines: string[]): StreamFile {
  const text = lines.join("\n");
  const folded = /^[\0-\x7f]*$/.test(text) ? undefined : foldText(text);
  return { ...streamPartOf(path)!, source: path, text: { text, folded } };
}

function rank(files: StreamFile[], query = "tide", isOwn?: (row: Row) => boolean, limit = 20) {
  return rankRecords(files, { pattern: createPattern(query), now: NOW, limit, isOwn });
}

const sources = (...files: StreamFile[]) => rank(files).map(({ source }) => source);

describe("streamPartOf", () => {
  it("[S1] knows live files, archives and shards, and nothing else", () => {
    expect(streamPartOf("memory/events.jsonl")).toEqual({ family: "events", part: "live" });
    expect(streamPartOf("memory/signals/2026-11-30.jsonl")).toEqual({
      family: "signals",
      part: "live",
    });
    expect(streamPartOf("memory/events-archive.jsonl")).toEqual({
      family: "events",
      part: "active",
    });
    expect(streamPartOf("memory/signals-archive.000012.jsonl")).toEqual({
      family: "signals",
      part: { shard: 12 },
    });
    for (const other of [
      "memory/errors.jsonl",
      "memory/events.bad.jsonl",
      "memory/signals/a/b.jsonl",
    ])
      expect(streamPartOf(other)).toBeUndefined();
  });
});

describe("rankRecords", () => {
  it("[S9] shows the record, where it stands and which field matches", () => {
    const row = {
      ts: "2026-11-30T10:00:00Z",
      type: "note",
      note: "High tide",
      source: "cli",
      scope: "x",
    };
    expect(rank([file("memory/events.jsonl", line(row))])).toEqual([
      {
        scope: "memory",
        source: "memory/events.jsonl",
        match: { field: "note", value: "High tide", kind: "phrase", score: 10 },
        matchedField: "note",
        matchedSnippet: "High tide",
        ts: "2026-11-30T10:00:00Z",
        type: "note",
        note: "High tide",
      },
    ]);
  });

  it("finds what stands behind an escape, and passes over lines that are no record", () => {
    const escaped = '{"summary":"caf\\u00e9 \\"au lait\\""}';
    const events = file("memory/events.jsonl", escaped, "{tide", "[]", '"tide"', "");
    expect(rank([events], 'cafe "au')).toHaveLength(1);
    expect(rank([events], "tide")).toEqual([]);
  });

  it("puts the newest first among equals", () => {
    const at = (hour: number) => line({ ts: `2026-11-30T0${hour}:00:00Z`, summary: "tide" });
    const rows = rank([file("memory/events.jsonl", at(1), at(3), at(2))]);
    expect(rows.map(({ ts }) => ts)).toEqual([
      "2026-11-30T03:00:00Z",
      "2026-11-30T02:00:00Z",
      "2026-11-30T01:00:00Z",
    ]);
  });

  it("[S1] counts a record once that a rotation left in several generations, where most of it is", () => {
    const row = line({ summary: "tide" });
    const live = file("memory/events.jsonl", row);
    const active = file("memory/events-archive.jsonl", row, row);
    const newest = file("memory/events-archive.000002.jsonl", row);
    const older = file("memory/events-archive.000001.jsonl", row);
    expect(sources(live, newest)).toEqual([live.source]);
    expect(sources(active, newest)).toEqual([active.source, active.source]);
    expect(sources(older, live)).toEqual([live.source]);
    expect(sources(older, newest, live)).toEqual([older.source, live.source]);
    expect(sources(live, file("memory/signals/2026-11-30.jsonl", row))).toHaveLength(2);
  });

  it("[S1] shows once what an event and a signal tell of, and keeps what one of them tells twice", () => {
    const row = line({ summary: "tide", record_id: "r-1" });
    const events = file("memory/events.jsonl", row, row);
    const signals = file("memory/signals/2026-11-30.jsonl", row);
    expect(sources(events, signals)).toEqual([events.source, events.source]);
  });

  it("[S4] shows and counts only a project's own records", () => {
    const events = file(
      "memory/events.jsonl",
      line({ summary: "tide", project: "a" }),
      line({ summary: "tide", project: "b" }),
      line({ summary: "tide" }),
    );
    const rows = rank([events], "tide", ({ project }) => project === "a");
    expect(rows.map(({ project }) => project)).toEqual(["a"]);
  });

  it("stops at the limit", () => {
    const rows = Array.from({ length: 9 }, () => line({ summary: "tide" }));
    expect(rank([file("memory/events.jsonl", ...rows)], "tide", undefined, 4)).toHaveLength(4);
  });
});
