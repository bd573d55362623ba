import { AiosError } from "../errors.ts";

/** What a failed call says: a code of the closed table and its safe sentence. */
export interface FailureReport {
  readonly code: string;
  readonly sentence: string;
}

/** Whatever was thrown, as it may leave. What this server did not foresee is INTERNAL, whose own text stays inside. */
export function reportFailure(thrown: unknown): FailureReport {
  const error = thrown instanceof AiosError ? thrown : new AiosError("INTERNAL");
  return { code: error.code, sentence: error.message };
}
