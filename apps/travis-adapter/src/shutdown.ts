import { limits } from "./limits.ts";

type Step = () => Promise<unknown>;

export interface ShutdownOptions {
  /** What ends side by side, and may hang: servers that ignore everything. */
  readonly endings: readonly Step[];
  /** What is done last, one after the other, whatever became of the endings. */
  readonly cleanups: readonly Step[];
  /** Resolves after so many milliseconds. */
  after(ms: number): Promise<void>;
}

/** The end of a session, once and the same for all who ask for it: within the bound, and nothing is left out (A30). */
export function createShutdown({ endings, cleanups, after }: ShutdownOptions): () => Promise<void> {
  let shutdown: Promise<void> | undefined;

  async function run(): Promise<void> {
    const ended = Promise.allSettled(endings.map((end) => end()));
    await Promise.race([ended, after(limits.maxShutdownMs)]);
    // One that fails leaves nothing that the next start does not sweep.
    for (const clean of cleanups) await clean().catch(() => {});
  }

  return () => {
    shutdown ??= run();
    return shutdown;
  };
}
