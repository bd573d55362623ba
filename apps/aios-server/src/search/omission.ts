import { limits } from "../limits.ts";
import type { Scope } from "./scope.ts";

/** What a search counts: bytes of files, files, and entries, which are those of folders and lines of records. */
export interface Amounts {
  readonly files: number;
  readonly bytes: number;
  readonly entries: number;
}

/** A part of the corpus that a search left out, and what the user can do about it (S10). */
export interface Omission {
  readonly scope: Scope | "all";
  readonly reason: keyof typeof REASONS;
  /** What was counted, none of it further than one over its limit. */
  readonly observed: Amounts;
  readonly inspection: "not_searched" | "partially_enumerated";
  readonly recovery: { readonly code: string; readonly message: string };
}

const REASONS = Object.freeze({
  file_too_large: {
    inspection: "not_searched",
    recovery: {
      code: "split_or_move_file",
      message: "Split the large file or move it elsewhere, then search again.",
    },
  },
  directory_entries_exceeded: {
    inspection: "partially_enumerated",
    recovery: {
      code: "reduce_directory_entries",
      message: "Spread the full folder over several ones, then search again.",
    },
  },
  aggregate_bytes_exceeded: {
    inspection: "not_searched",
    recovery: {
      code: "narrow_or_reduce_scope",
      message: "Search one scope alone or reduce its bytes, then search again.",
    },
  },
  file_count_exceeded: {
    inspection: "not_searched",
    recovery: {
      code: "narrow_or_reduce_scope",
      message: "Search one scope alone or reduce its files, and try again.",
    },
  },
  entry_count_exceeded: {
    inspection: "not_searched",
    recovery: {
      code: "narrow_or_reduce_scope",
      message: "Search one scope alone or reduce its entries; try again.",
    },
  },
  omissions_truncated: {
    inspection: "not_searched",
    recovery: {
      code: "narrow_scope",
      message: "More was left out than is listed; search one scope alone.",
    },
  },
} as const);

/** One of the ceilings that a search may meet and still succeed. */
export type Ceiling = Exclude<Omission["reason"], "omissions_truncated">;

/** The most that each count of an omission says: one over its limit. */
const MOST: Readonly<Record<Ceiling, Amounts>> = Object.freeze(
  Object.fromEntries(
    Object.keys(REASONS).map((reason) => [
      reason,
      {
        files: limits.maxSearchFiles + 1,
        bytes:
          1 + (reason === "file_too_large" ? limits.maxSearchFileBytes : limits.maxSearchBytes),
        entries:
          1 +
          (reason === "directory_entries_exceeded"
            ? limits.maxSearchFolderEntries
            : limits.maxSearchEntries),
      },
    ]),
  ) as Record<Ceiling, Amounts>,
);

/** Thrown inside a search where a scope meets a ceiling, and caught where that scope is then left out. */
export class CeilingMet extends Error {
  override readonly name = "CeilingMet";
  readonly reason: Ceiling;
  readonly observed: Amounts;

  constructor(reason: Ceiling, observed: Partial<Amounts>) {
    super(reason);
    this.reason = reason;
    this.observed = { files: 0, bytes: 0, entries: 0, ...observed };
  }
}

/** The omission of a scope that met a ceiling. */
export function omissionOf(scope: Scope, { reason, observed }: CeilingMet): Omission {
  const most = MOST[reason];
  const clamped = {
    files: Math.min(observed.files, most.files),
    bytes: Math.min(observed.bytes, most.bytes),
    entries: Math.min(observed.entries, most.entries),
  };
  return { scope, reason, observed: clamped, ...REASONS[reason] };
}

/** At most 32 omissions, and where there are more one that counts the others. */
export function boundOmissions(omissions: readonly Omission[]): readonly Omission[] {
  const rest = omissions.length - limits.maxOmissions;
  if (rest <= 0) return omissions;
  const reason = "omissions_truncated";
  const observed = { files: 0, bytes: 0, entries: rest };
  return [
    ...omissions.slice(0, limits.maxOmissions),
    { scope: "all", reason, observed, ...REASONS[reason] },
  ];
}
