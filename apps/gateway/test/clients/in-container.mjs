// An agent in a container: it asks in which folder the server behind the gateway works, over the URL of its environment or
// over the bridge that it starts. Some agents give a server that they start little of their environment; after `--whole`
// this one gives all of it.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const isWhole = process.argv[2] === "--whole";
const [command, ...args] = process.argv.slice(isWhole ? 3 : 2);
const { WRAPTOOL_URL = "", WRAPTOOL_TOKEN, NODE_OPTIONS, HOSTS } = process.env;

function dial() {
  const env = isWhole ? process.env : { NODE_OPTIONS, HOSTS };
  if (command) return new StdioClientTransport({ command, args, env });
  const headers = WRAPTOOL_TOKEN ? { Authorization: `Bearer ${WRAPTOOL_TOKEN}` } : {};
  return new StreamableHTTPClientTransport(new URL(WRAPTOOL_URL), { requestInit: { headers } });
}

const client = new Client({ name: "agent", version: "1" });
await client.connect(dial());
const { content } = await client.callTool({ name: "folder", arguments: {} });
console.log(content[0].text.split("\n")[0]);
await client.close();
