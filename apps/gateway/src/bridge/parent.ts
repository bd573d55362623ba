/** The process that started this one, as it was found at first. */
export interface Parent {
  readonly pid: number;
  /** The number of the parent now. */
  now(): number;
  /** Sends a signal, 0 to ask only; throws where there is no such process. */
  kill(pid: number, signal: 0): unknown;
}

/**
 * Whether the process that started this one has gone. An orphan is given another parent, but not on Windows: there it keeps
 * the number, which stands for nobody then.
 */
export function hasGone({ pid, now, kill }: Parent, platform: NodeJS.Platform): boolean {
  if (platform !== "win32") return now() !== pid;
  try {
    kill(pid, 0);
    return false;
  } catch (error) {
    // Whoever may not be asked is there.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
