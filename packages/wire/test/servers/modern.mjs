// The official v2 SDK's server, modern era only: a tool `echo`, a tool `steps` with progress, and a tool `wait` that
// says on stderr that it was cancelled.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

serveStdio(
  () => {
    const server = new McpServer(
      { name: "modern", version: "2.0.0" },
      { capabilities: { tools: {} } },
    );
    server.registerTool("echo", { description: "Says hello" }, () => ({
      content: [{ type: "text", text: "hello" }],
    }));
    server.registerTool("steps", { description: "Reports two steps" }, async ({ mcpReq }) => {
      const { progressToken } = mcpReq._meta ?? {};
      for (const progress of [1, 2]) {
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: 2 },
        });
      }
      return { content: [] };
    });
    server.registerTool("wait", { description: "Waits to be cancelled" }, async ({ mcpReq }) => {
      process.stderr.write("waiting\n");
      await new Promise((resolve) => mcpReq.signal.addEventListener("abort", resolve));
      process.stderr.write("cancelled\n");
      return { content: [] };
    });
    return server;
  },
  { legacy: "reject" },
);
