import { requirements } from "./requirement.ts";

/** The workspace, the shared packages and the proof. */
export const core = requirements([
  [
    "W1",
    "kept",
    "One private pnpm workspace with pinned tools runs on Node 20.19, 22 and 24, and its lockfile names no URL.",
  ],
  [
    "W2",
    "kept",
    "A machine with only Node and npm runs everything: `npm start` the main job, `npm test` every check, ending in one line of counts.",
  ],
  [
    "W3",
    "kept",
    "The main job drives adapter, gateway and two real stdio servers as a user would, shows a refusal, and cleans up after itself.",
  ],
  [
    "W4",
    "kept",
    "Each app packs into files that need nothing else installed, with licence notices, and works from its tarball.",
  ],
  [
    "W5",
    "partial",
    "Releases come from a matrix of Node versions and systems, with changesets and provenance.",
  ],
  ["W6", "kept", "All three apps speak the handshake era (to 2025-11-25) and the 2026-07-28 era."],
  [
    "W7",
    "partial",
    "SDK 1 serves the legacy era where it is faithful, and few named files import its values.",
  ],
  ["W8", "kept", "One package frames, carries, relays and supervises MCP messages for all apps."],
  [
    "W9",
    "kept",
    "Every bin answers alike: result on stdout, the rest on stderr, one JSON object with --json, exit statuses 0, 1, 2 and 128+n.",
  ],
  [
    "W10",
    "kept",
    "Each app takes limits and strict reading from the core packages and keeps no second copy.",
  ],
  [
    "B1",
    "kept",
    "Bytes, code points and lines are counted in one place, and a cut never splits a character and says what it left.",
  ],
  [
    "B2",
    "kept",
    "Meters, pages, an exact fitter, a byte gate and an iterative JSON scanner bound what is taken in.",
  ],
  [
    "B3",
    "kept",
    "Spills are private, exclusive, within a quota, removed on dispose, and swept when their owner is dead.",
  ],
  [
    "B4",
    "kept",
    "A crossed limit is an error that names limit, maximum and actual, or an honest partial result.",
  ],
  [
    "C1",
    "kept",
    "JSON and YAML are read within bounds, strictly, with positions, and errors never show a value.",
  ],
  [
    "C2",
    "kept",
    "Strict schemas give values, or the first problem in document order, or all of them.",
  ],
  [
    "C3",
    "kept",
    "Layers, references, credential rules, env files, durations, sizes and secrets have one implementation.",
  ],
  [
    "C4",
    "kept",
    "Many secret values are scrubbed from long text in linear time; too short ones are named and left.",
  ],
  ["P1", "kept", "Every promise is an entry here, and tests cite the promises that are kept."],
  ["P2", "kept", "Peers in tests are real servers, clients and processes."],
  [
    "P3",
    "kept",
    "Cuts, framing, spans, references, scrubbing, edits and names are tested as properties, with a secret canary in every whole run.",
  ],
  [
    "P4",
    "kept",
    "Benchmarks measure ratios against a floor and peers in the same run and write the published table.",
  ],
]);
