// What the v2 SDK's servers in this folder offer: tools that echo, ask back and change the list, a resource and a prompt.
import { fromJsonSchema, inputRequired, McpServer } from "@modelcontextprotocol/server";

const text = (value) => ({ content: [{ type: "text", text: value }] });

/** A server of revision 2026-07-28, as its SDK makes one for each request over HTTP and one for each process on stdio. */
export function createModernServer() {
  const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {} };
  const server = new McpServer({ name: "modern", version: "1" }, { capabilities });
  const schema = {
    type: "object",
    properties: { region: { type: "string", "x-mcp-header": "Region" } },
  };
  server.registerTool("echo", { inputSchema: fromJsonSchema(schema) }, ({ region }) =>
    text(`echo of ${region ?? "nothing"}`),
  );
  server.registerTool("pid", {}, () => text(String(process.pid)));
  server.registerTool("wait", {}, () => new Promise(() => {}));
  server.registerTool("ask", {}, () =>
    inputRequired({
      inputRequests: {
        name: inputRequired.elicit({
          message: "Your name?",
          requestedSchema: { type: "object", properties: { name: { type: "string" } } },
        }),
      },
    }),
  );
  server.registerTool("grow", {}, () => {
    server.registerTool("grown", {}, () => text("grown"));
    return text("growing");
  });
  server.registerResource("memo", "memo:one", { mimeType: "text/plain" }, (uri) => ({
    contents: [{ uri: uri.href, text: "milk", mimeType: "text/plain" }],
  }));
  server.registerPrompt("hello", {}, () => ({
    messages: [{ role: "user", content: { type: "text", text: "Say hello" } }],
  }));
  return server;
}
