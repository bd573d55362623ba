// Which scenarios of the official suite are run, in which release and against which peer, and which are left out and why.

const RELEASE = "0.1.16";
const NEXT = "0.2.0-alpha.12";

/** Run against a server. `era` is that of the server behind; `args` choose the scenarios. */
export const serverSuites = [
  { title: RELEASE, release: RELEASE, era: "handshake", args: [] },
  {
    title: `${NEXT}, 2025-11-25`,
    release: NEXT,
    era: "handshake",
    args: ["--requirements", "2025-11-25"],
  },
  {
    title: `${NEXT}, 2026-07-28`,
    release: NEXT,
    era: "stateless",
    args: ["--requirements", "2026-07-28"],
  },
];

/** Run against the adapter, one scenario after the other. */
export const clientSuites = [
  {
    title: RELEASE,
    release: RELEASE,
    args: [],
    scenarios: ["initialize", "tools_call", "sse-retry"],
  },
  {
    title: `${NEXT}, 2025-11-25`,
    release: NEXT,
    args: ["--spec-version", "2025-11-25"],
    scenarios: ["initialize", "tools_call", "sse-retry", "json-schema-2020-12-preservation"],
  },
  {
    title: `${NEXT}, 2026-07-28`,
    release: NEXT,
    args: ["--spec-version", "2026-07-28"],
    scenarios: [
      "tools_call",
      "request-metadata",
      "http-standard-headers",
      "http-custom-headers",
      "http-invalid-tool-headers",
      "json-schema-ref-no-deref",
      "json-schema-2020-12-preservation",
      "sep-2322-client-request-state",
    ],
  },
];

/** Of the suite's scenarios; `pattern` finds those that a server run has all the same. */
export const leftOut = [
  {
    scenarios: "`tasks-*`",
    pattern: /^tasks-/,
    reason: "An extension, which neither the server here nor the gateway has.",
  },
  {
    scenarios: "`server-sse-polling`",
    pattern: /^server-sse-polling$/,
    reason:
      "Pending in the suite itself. Event ids and taking a stream up again are optional, and the gateway's streams have neither.",
  },
  {
    scenarios: "`auth/*`",
    reason:
      "The adapter does no OAuth: a header that refers to a variable is its way, and a 401 says so.",
  },
  {
    scenarios: "`elicitation-sep1034-client-defaults`",
    reason: "The adapter declares no elicitation, so that nobody may ask it.",
  },
  {
    scenarios: "the null argument in `http-custom-headers`",
    reason:
      "The adapter holds arguments against the tool's schema, which allows no null there; the client leaves it out.",
  },
];
