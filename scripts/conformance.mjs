// Runs the official MCP conformance suite against the gateway and the adapter, as they are built.
//   npm run conformance               and writes what came of it to docs/conformance.md
//   npm run conformance -- --check    and fails if that page is not what came of it
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { problemsOfClients, problemsOfServers } from "../test-fixtures/conformance/compare.mjs";
import { renderPage } from "../test-fixtures/conformance/page.mjs";
import { startPeers } from "../test-fixtures/conformance/peers.mjs";
import { createRunSuite } from "../test-fixtures/conformance/run-suite.mjs";
import { clientSuites, leftOut, serverSuites } from "../test-fixtures/conformance/suites.mjs";
import { environmentOf } from "./node-version.mjs";

const [flag, ...others] = process.argv.slice(2);
if ((flag !== undefined && flag !== "--check") || others.length > 0) {
  console.error(`error: unknown ${flag}\n  npm run conformance [-- --check]`);
  process.exit(2);
}
const root = fileURLToPath(new URL("..", import.meta.url));
const page = join(root, "docs", "conformance.md");
const client = join(root, "test-fixtures", "conformance", "client.mjs");
/** The suite needs Node 22; the programs run under the Node that runs this. */
const suiteNode = Number.parseInt(process.versions.node, 10) < 22 ? "22.23.3" : undefined;
const env = suiteNode === undefined ? process.env : environmentOf(suiteNode);

const servers = [];
for (const suite of serverSuites) servers.push(await runServers(suite));
const clients = [];
for (const suite of clientSuites) clients.push(await runClients(suite));

const problems = [...servers.flatMap(problemsOfServers), ...clients.flatMap(problemsOfClients)];
for (const problem of problems) console.error(`error: ${problem}`);
const text = renderPage({ servers, clients });
if (problems.length > 0) process.exitCode = 1;
else if (flag === undefined) writeFileSync(page, text);
else if (readFileSync(page, "utf8") !== text) {
  console.error("error: docs/conformance.md is not what this run found out\n  npm run conformance");
  process.exitCode = 1;
}
console.error(problems.length === 0 ? "as expected" : `${problems.length} not as expected`);

async function runServers({ title, release, era, args }) {
  const runSuite = await createRunSuite(release, env);
  const { urls, stop } = await startPeers(era);
  const columns = {};
  try {
    for (const [column, url] of Object.entries(urls)) {
      console.error(`${title}, ${column} …`);
      columns[column] = counted(await runSuite(["server", "--url", url, ...args]));
    }
  } finally {
    await stop();
  }
  return { title, columns };
}

async function runClients({ title, release, args, scenarios }) {
  console.error(`${title}, adapter …`);
  const runSuite = await createRunSuite(release, env);
  const adapter = new Map();
  const command = `"${process.execPath}" "${client}"`;
  for (const scenario of scenarios) {
    const found = await runSuite(["client", "--command", command, "--scenario", scenario, ...args]);
    for (const [name, outcome] of found) adapter.set(name, outcome);
  }
  return { title, columns: { adapter } };
}

function counted(found) {
  return new Map(
    [...found].filter(([name]) => !leftOut.some(({ pattern }) => pattern?.test(name))),
  );
}
