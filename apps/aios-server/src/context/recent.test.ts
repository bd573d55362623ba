import { describe, expect, it } from "vitest";
import { daysAt } from "./days.ts";
import { recentEvents, recentLines, recentSignals, sessionLine } from "./recent.ts";

const days = daysAt(new Date(2026, 10, 30, 12));

describe("daysAt", () => {
  it("counts on the clock's own calendar, across months and years", () => {
    expect(days).toEqual({ today: "2026-11-30", yesterday: "2026-11-29" });
    expect(daysAt(new Date(2027, 0, 1, 0, 0, 1))).toEqual({
      today: "2027-01-01",
      yesterday: "2026-12-31",
    });
    expect(daysAt(new Date(2028, 2, 1, 23, 59))).toEqual({
      today: "2028-03-01",
      yesterday: "2028-02-29",
    });
  });
});

describe("sessionLine", () => {
  it("[S1] names date, agent, project, title and turns, or what stands for them", () => {
    const row = {
      captured_at: "2026-11-30T07:25:00.000Z",
      agent: "claude",
      project: "tidewater",
      title: "Header\nof the pack",
      turns: 14,
    };
    expect(sessionLine(row)).toBe(
      '2026-11-30 · claude · tidewater · "Header of the pack" (14 turns)',
    );
    expect(sessionLine({ title: null, turns: "3" })).toBe(
      'unknown · unknown · "(untitled)" (0 turns)',
    );
  });
});

describe("recent records", () => {
  it("are those of today and yesterday, newest first, with text, on one line", () => {
    const events = recentEvents(
      [
        { ts: "2026-11-28T23:59:59Z", summary: "too old" },
        { ts: "2026-12-01T00:00:00Z", summary: "tomorrow" },
        { ts: "2026-11-29T08:00:00Z", summary: "  ", note: "a\n\n## note" },
        { ts: "2026-11-30T08:00:00Z", type: "milestone" },
        { ts: "2026-11-30T09:00:00Z" },
        { summary: "undated" },
      ],
      days,
    );
    expect(recentLines(events)).toEqual(["[2026-11-30] milestone", "[2026-11-29] a ## note"]);
  });

  it("[S1] takes a signal's date from its file where it has no time of its own", () => {
    const signals = recentSignals(
      [
        { row: { summary: "dated by file" }, date: "2026-11-29" },
        { row: { summary: "own time", ts: "2026-11-27T10:00:00Z" }, date: "2026-11-30" },
      ],
      [],
      days,
    );
    expect(recentLines(signals)).toEqual(["[2026-11-29] dated by file"]);
  });

  it("[S1] drops a signal that only mirrors an event", () => {
    const mirror = {
      ts: "2026-11-30T10:00:00Z",
      type: "update",
      source: "dotaios update",
      project: "tidewater",
      summary: "Shipped",
    };
    const events = recentEvents([{ ...mirror, project_id: null, record_id: "r-1" }], days);
    const rows = [
      mirror,
      { ...mirror, project: "other" },
      { ...mirror, source: "hand" },
      { ...mirror, summary: "Shipped twice" },
    ];
    const signals = recentSignals(
      rows.map((row) => ({ row, date: "2026-11-30" })),
      events,
      days,
    );
    expect(signals.map(({ row }) => row)).toEqual(expect.arrayContaining(rows.slice(1)));
    expect(signals).toHaveLength(3);
  });

  it("shows at most eight", () => {
    const rows = Array.from({ length: 9 }, (_, at) => ({
      ts: `2026-11-30T0${at}:00:00Z`,
      summary: `event ${at}`,
    }));
    const lines = recentLines(recentEvents(rows, days));
    expect([lines.length, lines[0], lines[7]]).toEqual([
      8,
      "[2026-11-30] event 8",
      "[2026-11-30] event 1",
    ]);
  });
});
