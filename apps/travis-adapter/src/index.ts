export { createAdapter, registerPackagedServer } from "./adapter.ts";
export {
  type Adapter,
  type AdapterOptions,
  activeToolsWithMcp,
  type ContentBlock,
  type PackagedServer,
  type PolicyContext,
  type ResultDetails,
  type ToolDefinition,
  type ToolResult,
  type ToolSelection,
} from "./host.ts";
