/**
 * What servers may ask clients for: the methods, each with the capability that a client declares for it. Roots are not among
 * it: which folders a server works in is the configuration's to say (G8), never a client's.
 */
export const ASKABLE: Readonly<Record<string, string>> = Object.freeze({
  "sampling/createMessage": "sampling",
  "elicitation/create": "elicitation",
});

export const ASKABLE_CAPABILITIES: readonly string[] = Object.values(ASKABLE);

/** Which the gateway answers itself where the configuration says so, and never asks a client. */
export const ROOTS_LIST = "roots/list";
