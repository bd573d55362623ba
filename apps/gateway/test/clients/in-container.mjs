// An agent in a container: it asks in which folder the server behind the gateway works, over the URL of its environment or
// over the bridge that it starts.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [command, ...args] = process.argv.slice(2);
const { WRAPTOOL_URL = "", WRAPTOOL_TOKEN, NODE_OPTIONS, HOSTS } = process.env;

function dial() {
  // Clients give a server they start little of their environment; the rest is the container's.
  if (command) return new StdioClientTransport({ command, args, env: { NODE_OPTIONS, HOSTS } });
  const headers = WRAPTOOL_TOKEN ? { Authorization: `Bearer ${WRAPTOOL_TOKEN}` } : {};
  return new StreamableHTTPClientTransport(new URL(WRAPTOOL_URL), { requestInit: { headers } });
}

const client = new Client({ name: "agent", version: "1" });
await client.connect(dial());
const { content } = await client.callTool({ name: "folder", arguments: {} });
console.log(content[0].text.split("\n")[0]);
await client.close();
