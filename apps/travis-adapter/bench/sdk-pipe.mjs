// What the JSON-lines host is compared with: the SDK's own client behind such a pipe, and nothing else. It takes the host's
// frames, passes tools.call on to the server that its arguments start, and answers with the result as it came.
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "bench", version: "1" });
const connected = client.connect(new StdioClientTransport({ command, args }));

createInterface({ input: process.stdin })
  .on("line", async (line) => {
    const { id, params } = JSON.parse(line);
    const { tool: name, args: input } = params.request;
    await connected;
    const result = await client.callTool({ name, arguments: input });
    process.stdout.write(`${JSON.stringify({ id, result })}\n`);
  })
  .on("close", () => client.close());
