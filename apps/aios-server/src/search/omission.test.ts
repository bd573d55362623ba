import { describe, expect, it } from "vitest";
import { limits } from "../limits.ts";
import { boundOmissions, CeilingMet, omissionOf } from "./omission.ts";

const HUGE = { files: 1e9, bytes: 1e12, entries: 1e9 };

describe("omissionOf", () => {
  it.each([
    ["file_too_large", "not_searched", "split_or_move_file", { bytes: 4 * 1024 ** 2 + 1 }],
    [
      "directory_entries_exceeded",
      "partially_enumerated",
      "reduce_directory_entries",
      { entries: 8_193 },
    ],
    [
      "aggregate_bytes_exceeded",
      "not_searched",
      "narrow_or_reduce_scope",
      { bytes: 256 * 1024 ** 2 + 1 },
    ],
    ["file_count_exceeded", "not_searched", "narrow_or_reduce_scope", { files: 50_001 }],
    ["entry_count_exceeded", "not_searched", "narrow_or_reduce_scope", { entries: 500_001 }],
  ] as const)(
    "[S10] tells of %s as %s with %s, counted no further than one over",
    (reason, inspection, code, most) => {
      const omission = omissionOf("vault", new CeilingMet(reason, HUGE));
      expect(omission).toEqual({
        scope: "vault",
        reason,
        observed: { files: 50_001, bytes: 268_435_457, entries: 500_001, ...most },
        inspection,
        recovery: { code, message: expect.any(String) },
      });
      expect(omission.recovery.message).not.toMatch(/[\\/]/);
    },
  );

  it("[S10] tells what was counted where that is less", () => {
    expect(omissionOf("vault", new CeilingMet("file_too_large", { bytes: 7 })).observed).toEqual({
      files: 0,
      bytes: 7,
      entries: 0,
    });
  });
});

describe("boundOmissions", () => {
  it("[S10] lists 32 and counts the rest in one more", () => {
    const one = omissionOf("vault", new CeilingMet("file_too_large", {}));
    const bounded = (count: number) => boundOmissions(Array(count).fill(one));
    expect([31, 32, 33].map((count) => bounded(count).length)).toEqual([31, 32, 33]);
    expect(bounded(limits.maxOmissions + 7).at(-1)).toEqual({
      scope: "all",
      reason: "omissions_truncated",
      observed: { files: 0, bytes: 0, entries: 7 },
      inspection: "not_searched",
      recovery: { code: "narrow_scope", message: expect.any(String) },
    });
  });
});
