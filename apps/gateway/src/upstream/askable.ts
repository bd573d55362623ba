/**
 * What servers may ask clients for, by the capability that a client declares for it. Roots are not among it: which folders
 * a server works in is the configuration's to say (G8), never a client's.
 */
export const ASKABLE: Readonly<Record<string, string>> = Object.freeze({
  "sampling/createMessage": "sampling",
  "elicitation/create": "elicitation",
});
