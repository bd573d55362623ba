import { isObject, type ParamHeader, readParamHeaders } from "@core/wire";

/** The arguments of a tool, by its exposed name, that a modern client must repeat as headers (`x-mcp-header`). */
export type ParamHeadersOf = (exposed: string) => readonly ParamHeader[];

const NONE: readonly ParamHeader[] = Object.freeze([]);

/** Reads them off the listed definitions, anew with each revision. A tool that is not listed asks for nothing. */
export function createParamHeaders(
  entries: () => readonly Buffer[],
  revision: () => number,
): ParamHeadersOf {
  let read: { revision: number; byName: ReadonlyMap<string, readonly ParamHeader[]> } | undefined;
  return (exposed) => {
    const now = revision();
    if (read?.revision !== now) read = { revision: now, byName: readAll(entries()) };
    return read.byName.get(exposed) ?? NONE;
  };
}

function readAll(entries: readonly Buffer[]): ReadonlyMap<string, readonly ParamHeader[]> {
  const byName = new Map<string, readonly ParamHeader[]>();
  for (const entry of entries) {
    // Few tools have any, and the others need not be parsed.
    if (!entry.includes("x-mcp-header")) continue;
    const tool: unknown = JSON.parse(entry.toString("utf8"));
    if (!isObject(tool) || typeof tool.name !== "string") continue;
    // What breaks the rules annotates nothing: clients leave such a tool out.
    const found = readParamHeaders(tool.inputSchema);
    if (found.ok && found.headers.length > 0) byName.set(tool.name, found.headers);
  }
  return byName;
}
