export { createAdapter } from "./adapter.ts";
export type {
  Adapter,
  AdapterOptions,
  ContentBlock,
  ResultDetails,
  ToolDefinition,
  ToolResult,
} from "./host.ts";
