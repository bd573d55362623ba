/**
 * A promise of the project. `open`: nothing of it works yet, and no test may cite it. `partial`: some of it works,
 * and tests cite that part. `kept`: all of it works, and at least one test cites it.
 */
export interface Requirement {
  readonly id: string;
  readonly sentence: string;
  readonly state: "open" | "partial" | "kept";
}

type Row = readonly [id: string, state: Requirement["state"], sentence: string];

/** Rows to requirements, frozen. */
export function requirements(rows: readonly Row[]): readonly Requirement[] {
  return Object.freeze(rows.map(([id, state, sentence]) => Object.freeze({ id, state, sentence })));
}
