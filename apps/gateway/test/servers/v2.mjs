// A server of the SDK's v2 for revision 2026-07-28 alone.
import { acceptedContent, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

serveStdio(
  () => {
    const server = new McpServer({ name: "v2", version: "1.0.0" });
    server.registerTool("shout", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
      content: [{ type: "text", text: text.toUpperCase() }],
    }));
    server.registerTool("confirm", { inputSchema: z.object({}) }, (_, { mcpReq }) => {
      const requestedSchema = z.object({ yes: z.boolean() });
      const answer = acceptedContent(mcpReq.inputResponses, "sure", requestedSchema);
      if (answer !== undefined) return { content: [{ type: "text", text: `yes: ${answer.yes}` }] };
      const sure = inputRequired.elicit({ message: "Really?", requestedSchema });
      return inputRequired({ inputRequests: { sure } });
    });
    return server;
  },
  { legacy: "reject" },
);
