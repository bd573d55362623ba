/** What may be asked of the adapter, as one closed union: the only value that an operation takes. */
export type Request =
  | { readonly operation: "status" }
  | { readonly operation: "tools.list"; readonly server: string }
  | { readonly operation: "tools.search"; readonly server: string; readonly query: string }
  | { readonly operation: "tools.describe"; readonly server: string; readonly name: string }
  | {
      readonly operation: "tools.call";
      readonly server: string;
      readonly name: string;
      readonly arguments: JsonObject;
    }
  | { readonly operation: "resources.list"; readonly server: string; readonly query?: string }
  | { readonly operation: "resources.read"; readonly server: string; readonly resource: string }
  | { readonly operation: "prompts.list"; readonly server: string; readonly query?: string }
  | {
      readonly operation: "prompts.get";
      readonly server: string;
      readonly prompt: string;
      readonly arguments: Readonly<Record<string, string>>;
    }
  | { readonly operation: "reconnect"; readonly server: string };

export type JsonObject = Readonly<Record<string, unknown>>;

/** A request that names a server. */
export type ServerRequest = Exclude<Request, { operation: "status" }>;

/** The nine values of `operation`, in the order in which the schema lists them. */
export const operations = [
  "tools.list",
  "tools.search",
  "tools.describe",
  "tools.call",
  "resources.list",
  "resources.read",
  "prompts.list",
  "prompts.get",
  "reconnect",
] as const satisfies readonly ServerRequest["operation"][];

/** How an operation is named in an approval prompt and in `details` (A3): short for tools, the whole name elsewhere. */
export type OperationLabel =
  | "status"
  | "list"
  | "search"
  | "describe"
  | "call"
  | "resources.list"
  | "resources.read"
  | "prompts.list"
  | "prompts.get"
  | "reconnect"
  | "validation";

export function labelOf(operation: Request["operation"]): OperationLabel {
  return operation.replace(/^tools\./, "") as OperationLabel;
}
