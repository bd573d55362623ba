import { requirements } from "./requirement.ts";

/** The gateway daemon and its commands. */
export const gateway = requirements([
  [
    "G1",
    "kept",
    "The configuration is strict; reload validates first, keeps the last good one and restarts only what changed.",
  ],
  [
    "G2",
    "kept",
    "Without a configuration file `serve` starts on loopback with a generated token and says what to do next.",
  ],
  [
    "G3",
    "kept",
    "Streamable HTTP and legacy SSE, both eras, on TCP and on the socket, on the same paths.",
  ],
  ["G4", "kept", "Every refusal has the status code and headers that clients expect."],
  [
    "G5",
    "kept",
    "A Bearer token guards everything but health; files with wrong modes and open binds without a token are refused.",
  ],
  ["G6", "kept", "Host and Origin are checked on TCP by default."],
  [
    "G7",
    "kept",
    "The socket is private from its first moment, and nothing live or foreign at its path is removed.",
  ],
  [
    "G8",
    "kept",
    "`?cwd=` is checked against real-pathed roots before a session exists and again at use.",
  ],
  [
    "G9",
    "kept",
    "Sessions are random, bound to the credential, bounded, expired and disposed in one way.",
  ],
  [
    "G10",
    "kept",
    "One predicate decides list and call: deny wins, unlisted is hidden, names are resolved by an exact map.",
  ],
  [
    "G11",
    "kept",
    "Everything that is not renamed, remapped, scrubbed or cut passes byte for byte; ambiguous requests are refused.",
  ],
  ["G12", "kept", "Revisions are negotiated apart on each side, and any pair of eras works."],
  [
    "G13",
    "kept",
    "Children start once on need with their own folder, environment and group; a crash fails its calls at once and nothing is replayed.",
  ],
  ["G14", "kept", "Calls and starts are timed; a slow or broken server delays nobody else."],
  ["G15", "kept", "Cancellation and progress are mapped both ways, and equal ids are kept apart."],
  [
    "G16",
    "kept",
    "Resources, prompts and server requests pass only where a rule or an unambiguous session allows it.",
  ],
  [
    "G17",
    "kept",
    "Arguments can be ruled by schema and tool definitions pinned, off until configured.",
  ],
  [
    "G18",
    "kept",
    "Exact secret values are scrubbed from text, errors and structured content, never from numbers or binary.",
  ],
  ["G19", "kept", "Answers are bounded by default; the rest is a readable spill of the session."],
  [
    "G20",
    "kept",
    "Every decision is one audit line without arguments; health, readiness, metrics and status show nothing private.",
  ],
  ["G21", "kept", "`init` writes the right entry for each harness, project or global."],
  ["G22", "kept", "Edits of client files are surgical, guarded, recorded and undone to the byte."],
  [
    "G23",
    "kept",
    "`up` starts a container with worktree, address and token, the token never on a command line.",
  ],
  ["G24", "kept", "`bridge` joins stdio to the daemon in both eras and never replays."],
  ["G25", "kept", "`doctor` finds what is wrong and says what to do."],
  ["G26", "kept", "A signal drains, stops and cleans within bounds; a second one ends at once."],
  ["G27", "kept", "The README's reference and tables are compared with the code."],
  [
    "G28",
    "kept",
    "`status`, `reload` and `token` act on the running daemon's record and never print a token.",
  ],
]);
