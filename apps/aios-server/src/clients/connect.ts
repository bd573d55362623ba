import { isDeepStrictEqual } from "node:util";
import {
  ClientFileError,
  type ClientFileState,
  describeEdit,
  documentedClientFile,
  type EntryPlace,
  insertEntry,
  locateClientFiles,
  parseClientDocument,
  readClientFile,
  removeEntry,
  replaceEntry,
  type Surroundings,
  writeClientFile,
} from "@core/clients";
import { entryFor, nextSteps, rowOf, SERVER_NAME } from "./fragment.ts";
import { isOwnLaunch, type Launch } from "./launch.ts";

/** What connecting would change, before anything is written. */
export interface Connection {
  /** The file that is edited, as it was read. */
  readonly state: ClientFileState;
  /** Its whole text with the entry. */
  readonly text: string;
  /** The edit as a diff, credentials masked; empty where the entry stands already. */
  readonly diff: string;
  readonly next: readonly string[];
}

const row = rowOf("opencode");
const LEGACY_NAME = "servers";

/**
 * Plans the entry of OpenCode (S23): in the file that has one of ours, else in the first that exists, else in a new
 * `opencode.json`. Throws ClientFileError, and everything is as it was, where a file does not parse, `mcp` is no map,
 * or what stands there under our name or below the older `mcp.servers` is not ours.
 */
export async function planConnection(launch: Launch, around: Surroundings): Promise<Connection> {
  const state = await chooseFile(around);
  const before = state.text ?? "";
  const place = placeIn(state);
  const cleared = withoutLegacy(before, place);
  const value = entryFor(row, launch);
  const present = entriesIn(cleared, place)[SERVER_NAME];
  const edit = isOwnEntry(present, ["type", "command", "enabled"]) ? replaceEntry : insertEntry;
  const text = isDeepStrictEqual(present, value) ? cleared : edit(cleared, place, value).text;
  return { state, text, diff: describeEdit(before, text, place), next: nextSteps(row) };
}

/** Writes what was planned: whole or not at all, links and mode kept; a new file is its owner's alone. */
export async function connect({ state, text }: Connection): Promise<void> {
  await writeClientFile(state, text, { holdsSecret: true });
}

async function chooseFile(around: Surroundings): Promise<ClientFileState> {
  const paths = locateClientFiles(row, "global", around).map(({ path }) => path);
  const states = await Promise.all(paths.map(readClientFile));
  const existing = states.filter(({ text }) => text !== undefined);
  const holder = existing.find((state) => {
    const entries = entriesIn(state.text!, placeIn(state));
    return SERVER_NAME in entries || SERVER_NAME in mapOf(entries[LEGACY_NAME]);
  });
  return holder ?? existing[0] ?? readClientFile(documentedClientFile(row, "global", around)!);
}

function placeIn({ path }: ClientFileState): EntryPlace {
  return { file: path, format: row.format, keyPath: row.keyPath, name: SERVER_NAME };
}

/** What stands below `mcp`; nothing where that is no map, which the edit then refuses at its place. */
function entriesIn(text: string, { file, format, keyPath }: EntryPlace) {
  return mapOf(parseClientDocument(text, { file, format }).get(keyPath));
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMap ? { ...value } : {};
}

/** Removes our entry below the older `mcp.servers`, which must hold nothing else. */
function withoutLegacy(text: string, place: EntryPlace): string {
  const legacy = entriesIn(text, place)[LEGACY_NAME];
  if (legacy === undefined) return text;
  const refuse = (reason: string) =>
    new ClientFileError("UNSUPPORTED_FORM", reason, { file: place.file, field: "mcp.servers" });
  const isMap = typeof legacy === "object" && legacy !== null && !Array.isArray(legacy);
  if (!isMap) throw refuse("must be a map of servers, or be removed");
  const foreign = Object.keys(legacy).filter((name) => name !== SERVER_NAME);
  if (foreign.length > 0)
    throw refuse(`holds servers that this program does not move: ${listNames(foreign)}`);
  const own = mapOf(legacy)[SERVER_NAME];
  if (own !== undefined && !isOwnEntry(own, ["type", "command", "args", "enabled"]))
    throw refuse(`has an entry "${SERVER_NAME}" that this program did not write`);
  return removeEntry(text, { ...place, name: LEGACY_NAME }).text;
}

/** Whether an entry starts our server and says nothing else. */
function isOwnEntry(value: unknown, keys: readonly string[]): boolean {
  const entry = mapOf(value);
  const { type = "local", command, args = [], enabled = true } = entry;
  return (
    Object.keys(entry).every((key) => keys.includes(key)) &&
    type === "local" &&
    typeof enabled === "boolean" &&
    isOwnLaunch([command, args].flat())
  );
}

const NAMES_SHOWN = 5;

/** Names out of a file, safe to print. */
function listNames(names: readonly string[]): string {
  const shown = names
    .slice(0, NAMES_SHOWN)
    .map((name) => name.replace(/[^\w.@-]/g, "?").slice(0, 64));
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}
