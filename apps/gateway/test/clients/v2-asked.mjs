// The SDK's v2 client with a user who agrees to everything: node v2-asked.mjs URL TOOL MODE… prints what a tool said that asks
// the user, in each era (auto or legacy), as one JSON array.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [url, name, ...modes] = process.argv.slice(2);
const said = [];
for (const mode of modes) said.push(await confirm(mode));
console.log(JSON.stringify(said));

async function confirm(mode) {
  const negotiation = mode === "auto" ? { versionNegotiation: { mode: "auto" } } : {};
  const capabilities = { elicitation: { form: {} } };
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities, ...negotiation });
  client.setRequestHandler("elicitation/create", async ({ params }) => ({
    action: "accept",
    content: { yes: params.message.startsWith("Really") },
  }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const { content } = await client.callTool({ name, arguments: {} });
  const version = client.getNegotiatedProtocolVersion();
  await client.close();
  return [version, content[0].text];
}
