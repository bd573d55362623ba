import { sharedNumbers } from "./shared-work.ts";

/** What all threads may take of something together, and one number of how much they have taken. */
export interface Shares {
  readonly maximum: number;
  readonly taken: Int32Array;
}

/** Of which nothing is taken yet. */
export function createShares(maximum: number): Shares {
  return { maximum, taken: sharedNumbers(1) };
}

/** Takes so much for the asking thread, or nothing where there is not so much left. */
export function takeUpTo({ maximum, taken }: Shares, amount: number): boolean {
  if (Atomics.add(taken, 0, amount) + amount <= maximum) return true;
  Atomics.sub(taken, 0, amount);
  return false;
}
