import {
  buildEntry,
  type ClientRow,
  documentedClientFile,
  type EntryMap,
  findClient,
  renderFragment,
  type Surroundings,
} from "@core/clients";
import type { Agent } from "./agent.ts";
import type { Launch } from "./launch.ts";

/** The name under which clients know this server. */
export const SERVER_NAME = "dotaios";

/** What a person merges into a client's own file. */
export interface Fragment {
  readonly agent: Agent;
  /** The client's own name. */
  readonly title: string;
  /** Absolute path of the file that the client's documentation names. */
  readonly target: string;
  readonly format: "JSON" | "TOML";
  readonly text: string;
  /** What to do after it is in the file. */
  readonly next: readonly string[];
}

/** The fragment for one client. Nothing is read and nothing written. */
export function fragmentFor(agent: Agent, launch: Launch, around: Surroundings): Fragment {
  const row = rowOf(agent);
  const { title, format, keyPath } = row;
  return {
    agent,
    title,
    target: documentedClientFile(row, "global", around)!,
    format: format === "toml" ? "TOML" : "JSON",
    text: renderFragment({ format, keyPath, name: SERVER_NAME }, entryFor(row, launch)),
    next: nextSteps(row),
  };
}

/** The row of the client table; every agent has one, with a global file. */
export function rowOf(agent: Agent): ClientRow {
  return findClient(agent)!;
}

export function entryFor(row: ClientRow, { command, args }: Launch): EntryMap {
  return buildEntry(row, SERVER_NAME, { kind: "stdio", command, args });
}

/** What to do after the entry is in the client's file, and what a valid file does not prove. */
export function nextSteps({ next }: ClientRow): string[] {
  return [
    next.global!,
    "See that three tools are listed: read_working_context, search_aios, resolve_skill.",
    "Call one of them and look at what comes back.",
    "A valid file proves the configuration alone, not that the client starts the server.",
  ];
}
