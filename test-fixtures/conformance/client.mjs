// The client that the conformance suite runs: the built adapter, asked for what a scenario needs to see.
//   MCP_CONFORMANCE_SCENARIO=NAME node client.mjs URL
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LIBRARY = new URL("../../apps/travis-adapter/dist/index.js", import.meta.url);
const server = "peer";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const call = (tool, args = {}) => ({ server, tool, args });

/** What each tool of a scenario may be called with, whatever else it takes. */
const ANY = { region: "a", value: "a", data: {}, items: [], field1: "a", field2: "a" };

/** The requests of a scenario, one after the other or for the same text, each made of what was seen before. */
const scenarios = {
  initialize: [() => ({ server })],
  tools_call: [() => call("add_numbers", { a: 2, b: 3 })],
  "sse-retry": [() => call("test_reconnection")],
  "json-schema-2020-12-preservation": [
    () => ({ server, describe: "json_schema_2020_12_tool" }),
    ({ text }) => call("json_schema_echo", { schema: schemaIn(text) }),
  ],
  "json-schema-ref-no-deref": [
    () => ({ server, describe: "lookup_user" }),
    () => call("lookup_user", { id: "somebody" }),
  ],
  "request-metadata": [() => ({ server })],
  "http-standard-headers": [
    () => call("test_headers"),
    () => call("my-hyphenated-tool"),
    () => ({ server, operation: "resources.list" }),
    ({ text }) => ({ server, operation: "resources.read", resource: referenceIn(text) }),
    () => ({ server, operation: "prompts.list" }),
    () => ({ server, operation: "prompts.get", prompt: "test_prompt" }),
  ],
  // An argument that is null does not fit the schemas here, and the adapter would not send it: it is left out.
  "http-custom-headers": (context.toolCalls ?? []).map(({ name, arguments: args }) => () => {
    const given = Object.entries(args).filter(([, value]) => value !== null);
    return call(name, Object.fromEntries(given));
  }),
  "sep-2322-client-request-state": [
    "test_mrtr_echo_state",
    "test_mrtr_unrelated",
    "test_mrtr_no_state",
    "test_mrtr_no_result_type",
  ].map((tool) => () => call(tool)),
  "http-invalid-tool-headers": [
    () => ({ server }),
    ({ text }) => [...text.matchAll(/^- (\S+):/gm)].map(([, name]) => call(name, ANY)),
  ],
};

const schemaIn = (text) => JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
const referenceIn = (text) => text.match(/mcp-resource-[0-9a-f]{32}/)?.[0];

/** Asks the adapter each request, and prints what a model would see. */
async function run(adapter, requests) {
  let last;
  for (const next of requests) {
    for (const request of [next(last)].flat()) {
      const { content, isError } = await adapter.execute(request);
      last = { text: content.map(({ text = "" }) => text).join("\n") };
      console.log(`${JSON.stringify(request)}\n${isError ? "error: " : ""}${last.text}\n`);
      if (isError) process.exitCode = 1;
    }
  }
}

const home = mkdtempSync(join(tmpdir(), "bounded-mcp-conformance-"));
const folder = join(home, ".config", "mcp");
mkdirSync(folder, { recursive: true });
const entry = { url: process.argv.at(-1) };
writeFileSync(join(folder, "mcp.json"), JSON.stringify({ mcpServers: { [server]: entry } }));
const { createAdapter } = await import(LIBRARY);
const adapter = await createAdapter({ cwd: home, home, env: { PATH: process.env.PATH } });
try {
  await run(adapter, scenarios[process.env.MCP_CONFORMANCE_SCENARIO] ?? []);
} finally {
  await adapter[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
}
