import { StartError } from "../errors.ts";

/** Somebody else listens there. */
export function socketTaken(path: string, cause?: unknown): StartError {
  return new StartError(
    "ADDRESS_IN_USE",
    `Cannot listen on ${path}: another process listens there`,
    { hint: "Stop that process, or choose another path in server.socket", cause },
  );
}

/** Why a socket cannot be made; `remedy` is what to choose instead. */
export function socketRefused(
  path: string,
  reason: string,
  remedy: string,
  cause?: unknown,
): StartError {
  return new StartError("CANNOT_LISTEN", `Cannot listen on ${path}: ${reason}`, {
    hint: `Set server.socket to ${remedy}`,
    cause,
  });
}
