// As telling.mjs, on the SDK's v2 for revision 2026-07-28 alone: a subscription is a stream there.
import { appendFileSync } from "node:fs";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

const [log] = process.argv.slice(2);
const note = (mark) => appendFileSync(log, `${mark}\n`);
const streams = new Map();
note("start");

/** What the SDK hides from its user: which streams there are. */
process.stdin.on("data", (chunk) => {
  for (const line of String(chunk).split("\n")) {
    if (!line.includes('"resource ')) continue;
    const { id, params } = JSON.parse(line);
    const [uri] = params.notifications?.resourceSubscriptions ?? [streams.get(params.requestId)];
    note(`${id === undefined ? "-" : "+"}${uri}`);
    if (id !== undefined) streams.set(id, uri);
  }
});

serveStdio(
  () => {
    const server = new McpServer(
      { name: "telling-v2", version: "1.0.0" },
      { capabilities: { resources: { subscribe: true } } },
    );
    const template = new ResourceTemplate("note:{name}", { list: undefined });
    server.registerResource("notes", template, {}, ({ href: uri }) => ({
      contents: [{ uri, text: "words" }],
    }));
    const touch = { inputSchema: z.object({ uri: z.string() }) };
    server.registerTool("touch", touch, async ({ uri }) => {
      await server.server.sendResourceUpdated({ uri });
      return { content: [{ type: "text", text: "touched" }] };
    });
    server.registerTool("crash", { inputSchema: z.object({}) }, () => process.exit(9));
    return server;
  },
  { legacy: "reject" },
);
