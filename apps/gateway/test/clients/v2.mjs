// The SDK's v2 client as a process of its own: node v2.mjs MODE URL [MODE URL …] prints what it saw as one JSON array. MODE is
// auto (both eras), legacy, or sse (the deprecated transport).
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";

const seen = [];
const args = process.argv.slice(2);
for (let at = 0; at < args.length; at += 2) seen.push(await look(args[at], new URL(args[at + 1])));
console.log(JSON.stringify(seen));

async function look(mode, url) {
  const negotiation = mode === "auto" ? { versionNegotiation: { mode: "auto" } } : {};
  const client = new Client({ name: "test", version: "1.0.0" }, negotiation);
  const Transport = mode === "sse" ? SSEClientTransport : StreamableHTTPClientTransport;
  await client.connect(new Transport(url));
  const { tools } = await client.listTools();
  const result = await client.callTool({ name: "steps", arguments: {} });
  const version = client.getNegotiatedProtocolVersion();
  await client.close();
  return { version, tools: tools.map(({ name }) => name), result };
}
