import { requirements } from "./requirement.ts";

/** The read-only AIOS server. */
export const aios = requirements([
  [
    "S1",
    "kept",
    "The folder is read as its program writes it: layout, records, front matter, identities, migration metadata.",
  ],
  [
    "S2",
    "kept",
    "Shared, project and off are visible in a receipt, and off returns before the folder is looked at.",
  ],
  [
    "S3",
    "kept",
    "Arguments, policy, off, folder and tool are checked in that order, with stable, safe error sentences.",
  ],
  ["S4", "kept", "Project mode shows only what is attributed to the project, by one rule."],
  [
    "S5",
    "kept",
    "Selectors are checked strictly; a malformed neighbour is skipped and counted, the selected project's fault is a fault.",
  ],
  [
    "S6",
    "kept",
    "`read_working_context` gives the canonical Markdown, byte for byte what `brief --compact` prints.",
  ],
  [
    "S7",
    "kept",
    "The projection's sources are bounded as a whole and per shelf, and crossing a bound fails the call.",
  ],
  [
    "S8",
    "kept",
    "The folder's migration state is reported beside the Markdown, within its own allowance, and never fails the call.",
  ],
  [
    "S9",
    "kept",
    "`search_aios` answers within its exact budget, and `used` is the length of the answer.",
  ],
  ["S10", "kept", "Five ceilings become omissions of a fixed form; faults stay faults."],
  ["S11", "kept", "The largest honest answer fits 3,530, and 3,529 is refused for search alone."],
  [
    "S12",
    "kept",
    "`truncated` speaks of transport and `complete` of the corpus, and omissions are never dropped.",
  ],
  ["S13", "kept", "`resolve_skill` keeps its whole answer within the budget, from 256 on."],
  [
    "S14",
    "kept",
    "Advertised schemas and runtime checks are the same; nothing is coerced and no key is echoed unbounded.",
  ],
  ["S15", "kept", "Anything on stdin gets a JSON-RPC error at worst, and the server lives on."],
  ["S16", "kept", "Machine paths in free text become a mark in search and skill answers."],
  [
    "S17",
    "kept",
    "Sessions are ranked like the rest, and an early scope cannot starve a later one.",
  ],
  ["S18", "kept", "Words are Unicode words, and order does not depend on the host's locale."],
  [
    "S19",
    "kept",
    "Ping and cancellation are answered while a search runs, and a cancelled search stops reading.",
  ],
  ["S20", "kept", "Both protocol eras are served, and the answer is text without a second copy."],
  [
    "S21",
    "kept",
    "Every read is contained: no links, regular files, proven identity before, during and after.",
  ],
  [
    "S22",
    "kept",
    "The tree is the same before and after every call, and the bundle holds no call that writes outside `connect`.",
  ],
  [
    "S23",
    "kept",
    "`connect opencode` merges into the right file with its refusals, mode and comments kept.",
  ],
  [
    "S24",
    "kept",
    "Fragments for seven clients parse with each client's own rules and are never written.",
  ],
  [
    "S25",
    "kept",
    "The README says what the server is for, what it cannot do, and what evidence there is per client.",
  ],
]);
