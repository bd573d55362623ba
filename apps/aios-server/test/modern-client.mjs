// The SDK's v2 client as a process of its own: node modern-client.mjs BIN FOLDER CALLS, where CALLS is JSON of
// {name, arguments} objects, prints what it saw as one JSON object.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [bin, folder, calls] = process.argv.slice(2);
const client = new Client(
  { name: "test", version: "1.0.0" },
  { versionNegotiation: { mode: "auto" } },
);
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [bin, "--path", folder] }),
);
const { tools } = await client.listTools();
const results = await Promise.all(JSON.parse(calls).map((call) => client.callTool(call)));
const version = client.getNegotiatedProtocolVersion();
await client.close();
console.log(JSON.stringify({ version, tools: tools.map(({ name }) => name), results }));
