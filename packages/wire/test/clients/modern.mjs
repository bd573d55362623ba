// The official v2 SDK's client, modern era only: lists, calls the named tool and prints its answer. Arguments: URL, tool, JSON.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [url, name, args] = process.argv.slice(2);
const client = new Client(
  { name: "test", version: "1" },
  { versionNegotiation: { mode: { pin: "2026-07-28" } } },
);
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
await client.listTools();
console.log(JSON.stringify(await client.callTool({ name, arguments: JSON.parse(args) })));
await client.close();
