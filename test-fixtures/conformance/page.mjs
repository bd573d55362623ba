// The page docs/conformance.md, as one run found things out.
import { adapterDifferences, gatewayDifferences } from "./differences.mjs";
import { leftOut } from "./suites.mjs";

const INTRODUCTION = `# Conformance

Read this when you want to know how the programs hold up in the official MCP conformance suite (\`@modelcontextprotocol/conformance\`), or
when you changed what they say on the wire. This page is what one run of \`npm run conformance\` wrote; \`npm run conformance -- --check\`
writes nothing, and fails if the page would change.

The suite is run against a server directly, and against the same server over stdio behind \`wraptool serve\`: over TCP, and over the unix
socket through a forwarder, since the suite knows only URLs. The server is in [test-fixtures/conformance](../test-fixtures/conformance), on
the SDK's v1 for the revisions with sessions and on v2 for 2026-07-28. The gateway has its default settings, with the tools, resources and
prompts of the scenarios allowed by name. For the adapter the suite plays the server.

A cell says how many checks passed of those that could pass or fail; a warning counts as a failure. Informative checks are not counted, so that two
peers may have different totals. What stands in bold did not pass, and is explained [below](#expected-differences).
`;

/**
 * The whole page. `servers` has `{title, columns: {NAME: Map(scenario → outcome)}}` for each suite, `clients` the same with the
 * one column `adapter`.
 */
export function renderPage({ servers, clients }) {
  return [
    INTRODUCTION,
    "## In short\n",
    "Scenarios of which every check passes:\n",
    ...[servers, clients].map(totals),
    ...servers.flatMap((suite) => [`## Server: ${suite.title}\n`, tableOf(suite)]),
    ...clients.flatMap((suite) => [`## Adapter: ${suite.title}\n`, tableOf(suite)]),
    "## Expected differences\n",
    "The run fails on any other difference, and on one of these that is gone.\n",
    table(
      ["scenario", "why", "specification"],
      [
        ...gatewayDifferences.map((one) => explained(one.scenarios, one)),
        ...adapterDifferences.map((one) => explained([one.scenario], one)),
      ],
    ),
    "## Left out\n",
    table(
      ["scenarios", "why"],
      leftOut.map(({ scenarios, reason }) => [scenarios, reason]),
    ),
  ].join("\n");
}

function explained(scenarios, { reason, reference }) {
  const names = scenarios.map((name) => `\`${name}\``).join(", ");
  return [names, reason, `[${reference.split("/specification/")[1]}](${reference})`];
}

function totals(suites) {
  const rows = suites.map(({ title, columns }) => [title, ...Object.values(columns).map(totalOf)]);
  return table(["suite", ...Object.keys(suites[0].columns)], rows);
}

function totalOf(outcomes) {
  const all = [...outcomes.values()];
  return `${all.filter(({ failed }) => failed.length === 0).length} of ${all.length}`;
}

function tableOf({ columns }) {
  const [first] = Object.values(columns);
  const rows = [...first.keys()].map((scenario) => [
    scenario,
    ...Object.values(columns).map((outcomes) => cellOf(outcomes.get(scenario))),
  ]);
  return table(["scenario", ...Object.keys(columns)], rows);
}

function cellOf({ passed, failed }) {
  const text = `${passed} of ${passed + failed.length}`;
  return failed.length === 0 ? text : `**${text}**`;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return `${[head, head.map(() => "---"), ...rows].map(line).join("\n")}\n`;
}
