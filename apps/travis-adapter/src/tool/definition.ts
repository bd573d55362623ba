import type { ToolDefinition } from "../host.ts";
import { inputSchema } from "../request/schema.ts";

/** The one tool (A10): nothing in it depends on what is configured, so a host's prompt cache keeps it. */
export const toolDefinition: ToolDefinition = Object.freeze({
  name: "mcp",
  label: "MCP",
  description:
    'Use tools, resources and prompts of explicitly configured MCP servers, one server and one operation a call. {} reports the servers without connecting; {"server":"NAME"} lists its tools.',
  parameters: inputSchema,
  promptGuidelines: Object.freeze([
    "Call mcp with no arguments before using a server that you do not know.",
    "Name one explicit server and one operation in each call of mcp.",
  ]),
  effects: Object.freeze(["read", "write", "execute", "network"] as const),
});
