// Where the gateway does not give what its server gives, and where the adapter does not do what a scenario wants: on
// purpose, each with its reason. `npm run conformance` fails on any other difference, and on one of these that is gone.

const SPEC = "https://modelcontextprotocol.io/specification";

/** Scenarios that come out otherwise by a door of the gateway than directly, in the suites of suites.mjs that hold them. */
export const gatewayDifferences = [
  {
    suites: ["0.2.0-alpha.12, 2026-07-28"],
    doors: ["TCP", "socket"],
    scenarios: [
      "input-required-result-basic-list-roots",
      "input-required-result-multiple-input-requests",
    ],
    reason:
      "No client is asked for roots, since servers let them replace the folders that the configuration gave. With `roots: session` the gateway answers itself; without, as here, the server may not ask, and says -32021.",
    reference: `${SPEC}/2026-07-28/basic/patterns/mrtr`,
  },
  {
    suites: ["0.1.16", "0.2.0-alpha.12, 2025-11-25", "0.2.0-alpha.12, 2026-07-28"],
    doors: ["socket"],
    scenarios: ["dns-rebinding-protection"],
    reason:
      "No web page reaches a unix socket, whose file lets nobody in but its owner; so neither Host nor Origin is looked at there. The forwarder of this run makes a port of it.",
    reference: `${SPEC}/2025-11-25/basic/transports#security-warning`,
  },
];

/** Checks that do not pass with the adapter. */
export const adapterDifferences = [
  {
    suites: ["0.2.0-alpha.12, 2026-07-28"],
    scenario: "request-metadata",
    checks: ["ClientSendsVersionHeader", "ClientPopulatesMeta", "ClientSendsClientInfo"],
    reason:
      "The adapter opens with `initialize`, which nearly every server knows and a modern one refuses with the revisions that it has. That one request is of an earlier revision; each one after it has all three.",
    reference: `${SPEC}/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions`,
  },
  {
    suites: ["0.2.0-alpha.12, 2026-07-28"],
    scenario: "http-standard-headers",
    checks: ["ClientMcpMethodHeader_initialize"],
    reason:
      "The same: `initialize` is of an earlier revision, which has no such header. Every other request has it.",
    reference: `${SPEC}/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions`,
  },
  {
    suites: ["0.2.0-alpha.12, 2026-07-28"],
    scenario: "sep-2322-client-request-state",
    checks: [
      "sep-2322-client-request-state-echoed",
      "sep-2322-client-jsonrpc-id-different",
      "sep-2322-client-no-state-omitted",
    ],
    reason:
      "The scenario asks for input that the adapter has not declared to give. The adapter declines by not asking again, and the model is told.",
    reference: `${SPEC}/2026-07-28/basic/patterns/mrtr`,
  },
];
