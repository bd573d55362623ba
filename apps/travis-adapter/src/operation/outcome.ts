import type { ToolMatches } from "../catalog/search.ts";
import type { Tool } from "../catalog/tool.ts";
import type { Snapshot } from "../connection/connection.ts";
import type { RegistryReport } from "../registry/registry.ts";
import type { JsonObject } from "../request/request.ts";

/** What an operation came to, in the domain's own values: whole, unredacted, not yet for anybody's eyes. */
export type Outcome =
  | {
      readonly operation: "status";
      readonly report: RegistryReport;
      /** Of the servers that were ever reached. */
      readonly snapshots: ReadonlyMap<string, Snapshot>;
    }
  | { readonly operation: "tools.list"; readonly server: string; readonly tools: readonly Tool[] }
  | {
      readonly operation: "tools.search";
      readonly server: string;
      readonly query: string;
      readonly matches: ToolMatches;
    }
  | { readonly operation: "tools.describe"; readonly server: string; readonly tool: Tool }
  | {
      readonly operation: "tools.call";
      readonly server: string;
      /** The result of `tools/call` as it came. */
      readonly result: JsonObject;
      /** Whether the arguments were compared with the input schema. */
      readonly isChecked: boolean;
    }
  | { readonly operation: "reconnect"; readonly server: string };
