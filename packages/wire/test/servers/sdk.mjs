// The official SDK's server with one tool, `echo`, and one that waits until it is cancelled, `wait`.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const server = new McpServer({ name: "sdk", version: "1.0.0" });
server.registerTool("echo", { description: "Says hello" }, () => ({
  content: [{ type: "text", text: "hello" }],
}));
server.registerTool("wait", { description: "Waits to be cancelled" }, async ({ signal }) => {
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  await server.server.sendLoggingMessage({ level: "info", data: "cancelled" });
  return { content: [] };
});
server.server.registerCapabilities({ logging: {} });
await server.connect(new StdioServerTransport());
