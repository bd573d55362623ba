import { requirements } from "./requirement.ts";

/** The Travis234 adapter. */
export const adapter = requirements([
  [
    "A1",
    "kept",
    "The package is also a Travis package whose Python shim registers `mcp` and starts the Node host on first use only.",
  ],
  ["A2", "kept", "A host without effect metadata gets a clear loading error and no tool."],
  [
    "A3",
    "kept",
    "The policy context holds the operation and a configured server name, and nothing else.",
  ],
  [
    "A4",
    "kept",
    "`host` speaks JSON lines: ready, execute, cancel, shutdown; one answer an id; dies with its stdin.",
  ],
  [
    "A5",
    "kept",
    "Four files in fixed order replace whole entries; project files count only when trusted; faults are attributed to their source.",
  ],
  [
    "A6",
    "kept",
    "Configuration is strict in fields, types, transports and names, and says what to do about `type` and `disabled`.",
  ],
  [
    "A7",
    "kept",
    "References are resolved once, at connect, and a missing variable is an error that names field and variable.",
  ],
  [
    "A8",
    "kept",
    "Credential-shaped keys and headers take references only, checked when files are loaded.",
  ],
  [
    "A9",
    "kept",
    "Packaged servers are absolute, inside their package, immutable and win over files.",
  ],
  [
    "A10",
    "kept",
    "The tool's schema is small, closed and the same for any number of servers; JSON strings of objects are accepted as arguments.",
  ],
  [
    "A11",
    "kept",
    "Requests are checked in a fixed order, both forms are equal, and every refusal shows a working example.",
  ],
  [
    "A12",
    "kept",
    "The empty request reports states and configuration errors without connecting or resolving anything.",
  ],
  [
    "A13",
    "kept",
    "Listing tools gives compact summaries within the bounds and says what was left out.",
  ],
  [
    "A14",
    "kept",
    "Searching tools is deterministic, bounded to 20 matches and 4 KiB, and flags weak matches.",
  ],
  [
    "A15",
    "kept",
    "Describing a tool gives its whole input schema, or its shape and a spill when it is too large.",
  ],
  [
    "A16",
    "kept",
    "Calling sends the original name once, after checking arguments against the schema where it compiles.",
  ],
  [
    "A17",
    "kept",
    "Resources are listed and read by opaque references of one connection generation; no URI is shown.",
  ],
  [
    "A18",
    "kept",
    "Prompts are listed, their arguments checked before the request, their messages kept in order.",
  ],
  [
    "A19",
    "kept",
    "Resource bodies and prompt messages are labelled as untrusted, and labels inside them are broken.",
  ],
  [
    "A20",
    "kept",
    "Catalogues live for one connection generation and fall on list changes, reconnects and failures.",
  ],
  [
    "A21",
    "kept",
    "Connections are lazy, single and shared by concurrent users; one failing server leaves the others usable.",
  ],
  [
    "A22",
    "kept",
    "Both eras are spoken: initialize first, discover where the answer calls for it, verdict cached.",
  ],
  [
    "A23",
    "kept",
    "`requestTimeoutMs` bounds each wire operation and the connect; progress extends it up to ten times.",
  ],
  [
    "A24",
    "kept",
    "Cancelling settles one call at once and leaves its siblings and the connection alone.",
  ],
  ["A25", "kept", "An application-level error is the call's answer and leaves the connection up."],
  ["A26", "kept", "No request is sent twice; reconnecting only connects, in bounded attempts."],
  [
    "A27",
    "kept",
    "Stdio children run in their own group with a minimal environment, are stopped for certain, and their stderr tail explains a failed start.",
  ],
  [
    "A28",
    "kept",
    "Streamable HTTP survives lost sessions, refused streams, redirects, proxies and short streams, each with a clear sentence.",
  ],
  [
    "A29",
    "kept",
    "Offline refuses servers that are not loopback and package runners that would download.",
  ],
  [
    "A30",
    "kept",
    "Shutdown cancels, closes, kills and removes spills within bounds, and the next start sweeps what a crash left.",
  ],
  [
    "A31",
    "kept",
    "Pages, entries, responses and inline text are bounded, each at its exact edge, while receiving.",
  ],
  [
    "A32",
    "kept",
    "What is too large goes to private spills within a quota; the model sees a preview and a name.",
  ],
  [
    "A33",
    "kept",
    "Every kind of content becomes blocks of the host, unknown ones bounded metadata.",
  ],
  [
    "A34",
    "kept",
    "Errors name server, operation and class, show code and redacted message, and never a secret.",
  ],
  ["A35", "kept", "A pure helper has the meaning of the host's `--mcp` flag."],
  [
    "A36",
    "kept",
    "The README covers everything a user needs, and a test reads its configuration and tables.",
  ],
  [
    "A37",
    "kept",
    "`call`, `status` and `doctor` print text or one JSON object, with exit statuses that scripts can use.",
  ],
]);
