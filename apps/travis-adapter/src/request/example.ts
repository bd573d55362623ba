import type { ServerRequest } from "./request.ts";

const shapes: Record<ServerRequest["operation"], object> = {
  "tools.list": {},
  "tools.search": { query: "issue" },
  "tools.describe": { name: "search_issues" },
  "tools.call": { name: "search_issues", arguments: { query: "open" } },
  "resources.list": {},
  "resources.read": { resource: `mcp-resource-${"0123456789abcdef".repeat(2)}` },
  "prompts.list": {},
  "prompts.get": { prompt: "review", arguments: { topic: "changes" } },
  reconnect: {},
};

/** A request of that kind to that server which has a valid shape, as JSON text for a refusal to show. */
export function exampleOf(operation: ServerRequest["operation"], server: string): string {
  return JSON.stringify({ server, operation, ...shapes[operation] });
}

/** The shortest request to that server: it lists the tools. */
export function shortestExample(server: string): string {
  return JSON.stringify({ server });
}
