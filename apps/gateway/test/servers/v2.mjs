// A server of the SDK's v2 for revision 2026-07-28 alone.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

serveStdio(
  () => {
    const server = new McpServer({ name: "v2", version: "1.0.0" });
    server.registerTool("shout", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
      content: [{ type: "text", text: text.toUpperCase() }],
    }));
    return server;
  },
  { legacy: "reject" },
);
