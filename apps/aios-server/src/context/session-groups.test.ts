import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../limits.ts";
import { createAttribution } from "../memory/attribution.ts";
import type { Row } from "../reader/rows.ts";
import { canonicalText, compareText } from "./order.ts";
import { groupSessions, newestSessions } from "./session-groups.ts";

const newest = (rows: readonly Row[], count: number) => newestSessions(groupSessions(rows), count);

describe("newestSessions", () => {
  it("orders by time, then by how it is written, then by content, wherever the rows stood", () => {
    const rows = [
      { captured_at: "2026-11-30T10:00:00Z", title: "b" },
      { captured_at: "2026-11-30T11:00:00+01:00", title: "same moment" },
      { captured_at: "2026-11-30T10:00:00Z", title: "a" },
      { captured_at: "2026-11-29T10:00:00Z" },
      { captured_at: "never" },
      {},
    ];
    const ordered = [rows[1], rows[2], rows[0], rows[3], rows[4], rows[5]];
    expect(newest(rows, rows.length)).toEqual(ordered);
    fc.assert(
      fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (shuffled) => {
        for (let count = 1; count <= rows.length; count++)
          expect(newest(shuffled, count)).toEqual(ordered.slice(0, count));
      }),
    );
  });
});

describe("groupSessions", () => {
  const name = fc.constantFrom(undefined, null, "", "oak", "prj-o", "elm", 7, ["oak"], false);
  const session = fc.record({
    project: name,
    project_id: name,
    captured_at: fc.constantFrom(undefined, "1969-01-01", "2026-11-30", "2026-11-29T10:00:00Z", 7),
    title: fc.integer({ min: 0, max: 99 }),
  });
  const projects = [
    { slug: "oak", id: "prj-o", alias: undefined },
    { slug: "elm", id: undefined, alias: undefined },
  ];

  const textOf = ({ captured_at: at }: Row) => (typeof at === "string" ? at : "");
  const timeOf = (row: Row) => Date.parse(textOf(row)) || 0;

  it("[S4] gives of a project's sessions the newest, as attributing and sorting each would", () => {
    const count = limits.maxContextSessions;
    fc.assert(
      fc.property(
        fc.array(session, { maxLength: 40 }),
        fc.constantFrom(...projects),
        (rows, one) => {
          const owns = createAttribution(projects)(one);
          const owned = groupSessions(rows).filter(({ names }) => owns(names));
          const expected = rows
            .filter(owns)
            .toSorted(
              (a, b) =>
                timeOf(b) - timeOf(a) ||
                compareText(textOf(b), textOf(a)) ||
                compareText(canonicalText(a), canonicalText(b)),
            );
          expect(newestSessions(owned, count)).toEqual(expected.slice(0, count));
          expect(owned.reduce((sum, group) => sum + group.count, 0)).toBe(expected.length);
        },
      ),
    );
  });

  it("tells how many there are and when the latest was, before 1970 too", () => {
    const rows = [
      { captured_at: "1969-12-31T23:59:59Z" },
      { captured_at: "1969-12-31T23:59:58Z", project: null },
    ];
    expect(groupSessions(rows)).toMatchObject([{ latest: -1_000, count: 2 }]);
  });
});
