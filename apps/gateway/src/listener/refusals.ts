import { REFUSALS_WARN_MS } from "../limits.ts";

/** Counts connections that could not be taken, and warns of them: at once, and then once in a while. */
export interface Refusals {
  add(reason: string): void;
}

export function createRefusals(warn: (message: string) => void): Refusals {
  let quiet: NodeJS.Timeout | undefined;
  let count = 0;
  let last = "";

  const tell = () => {
    const connections = count === 1 ? "a connection was" : `${count} connections were`;
    if (count > 0) warn(`${connections} refused: ${last}`);
    // Silence ends with the first while in which nothing was refused.
    quiet = count > 0 ? setTimeout(tell, REFUSALS_WARN_MS).unref() : undefined;
    count = 0;
  };
  return {
    add(reason) {
      count++;
      last = reason;
      if (quiet === undefined) tell();
    },
  };
}
