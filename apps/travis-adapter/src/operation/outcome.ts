import type { Prompt } from "../catalog/prompts.ts";
import type { Resource, Template } from "../catalog/resource.ts";
import type { ToolMatches } from "../catalog/search.ts";
import type { Tool } from "../catalog/tool.ts";
import type { Snapshot } from "../connection/connection.ts";
import type { RegistryReport } from "../registry/registry.ts";
import type { JsonObject } from "../request/request.ts";
import type { Links } from "./links.ts";

/** What an operation came to, in the domain's own values: whole, unredacted, not yet for anybody's eyes. */
export type Outcome =
  | {
      readonly operation: "status";
      readonly report: RegistryReport;
      /** Of the servers that were ever reached. */
      readonly snapshots: ReadonlyMap<string, Snapshot>;
    }
  | {
      readonly operation: "tools.list";
      readonly server: string;
      readonly tools: readonly Tool[];
      /** Why tools are left out, by their names. */
      readonly rejected: ReadonlyMap<string, string>;
    }
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
      readonly links: Links;
      readonly declined: readonly string[];
    }
  | {
      readonly operation: "resources.list";
      readonly server: string;
      readonly query: string | undefined;
      /** Of the whole catalog, where the lists hold what the query found. */
      readonly resourceCount: number;
      readonly templateCount: number;
      readonly resources: readonly ReferredResource[];
      readonly templates: readonly Template[];
    }
  | {
      readonly operation: "resources.read";
      readonly server: string;
      readonly reference: string;
      readonly contents: readonly unknown[];
      /** What the server asked for meanwhile, and was declined. */
      readonly declined: readonly string[];
    }
  | {
      readonly operation: "prompts.list";
      readonly server: string;
      readonly query: string | undefined;
      readonly promptCount: number;
      readonly prompts: readonly Prompt[];
    }
  | {
      readonly operation: "prompts.get";
      readonly server: string;
      readonly prompt: string;
      readonly messages: readonly unknown[];
      readonly links: Links;
      readonly declined: readonly string[];
    }
  | { readonly operation: "reconnect"; readonly server: string };

/** A resource with the name by which it is read; undefined for one more than a connection names. */
export interface ReferredResource {
  readonly resource: Resource;
  readonly reference: string | undefined;
}
