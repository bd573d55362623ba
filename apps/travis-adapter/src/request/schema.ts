import { operations } from "./request.ts";

/** The shape of a reference that `resources.list` gives out and `resources.read` takes. */
export const RESOURCE_REFERENCE = /^mcp-resource-[0-9a-f]{32}$/;

const text = (description: string) => ({ type: "string", description });

/** The input schema of the one tool (A10). It depends on nothing, so that a host's prompt cache keeps it. */
export const inputSchema = Object.freeze({
  type: "object",
  properties: {
    server: text("Configured server name"),
    operation: { type: "string", enum: [...operations] },
    query: text("For tools.search; filters resources.list and prompts.list"),
    name: text("Tool name for tools.describe and tools.call"),
    resource: {
      type: "string",
      pattern: RESOURCE_REFERENCE.source,
      description: "Reference from resources.list",
    },
    prompt: text("Prompt name for prompts.get"),
    arguments: { type: "object", description: "For tools.call and prompts.get" },
    search: text("Short form of tools.search"),
    describe: text("Short form of tools.describe"),
    tool: text("Short form of tools.call"),
    args: { type: "object", description: "Arguments of tool" },
  },
  additionalProperties: false,
});
