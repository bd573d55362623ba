const sentences = {
  SPILL_DISK_FULL: "Cannot keep this output: the disk is full. What was kept before is intact.",
  SPILL_FAILED: "Cannot keep or read this output: the system refused it.",
  SPILL_CLOSED: "Cannot keep or read this output: the store is closed.",
  SPILL_UNKNOWN: "Cannot read this output: the store keeps none of this name.",
} as const;

/** Why an output could not be kept or read. */
export type SpillErrorCode = keyof typeof sentences;

/** An output could not be kept or read. The message names no path; `cause` is the system's error, for a log. */
export class SpillError extends Error {
  readonly code: SpillErrorCode;

  constructor(code: SpillErrorCode, cause?: unknown) {
    super(sentences[code], { cause });
    this.name = "SpillError";
    this.code = code;
  }
}

/** Brings a system's error to its code; a full quota of the user is a full disk too. */
export function toSpillError(cause: unknown): SpillError {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  const isFull = code === "ENOSPC" || code === "EDQUOT";
  return new SpillError(isFull ? "SPILL_DISK_FULL" : "SPILL_FAILED", cause);
}
