import { isDeepStrictEqual } from "node:util";
import {
  buildEntry,
  type ClientEntry,
  ClientFileError,
  type ClientFileState,
  type ClientRow,
  chooseClientFile,
  type EntryMap,
  type EntryPlace,
  findRecord,
  hashEntry,
  insertEntry,
  type Ledger,
  type LedgerRecord,
  locateClientFiles,
  otherRecords,
  parseClientDocument,
  readClientFile,
  readEntry,
  removeEntry,
  renewEntry,
  replaceEntry,
  type Undo,
  withdrawEntry,
} from "@core/clients";
import { CommandError } from "@core/terminal";
import { connectEntry, isOwnEntry, needsBridge } from "./endpoint.ts";
import type { ExcludeLine } from "./exclude.ts";
import { askGit } from "./git.ts";
import { chooseToken, DEFAULT_NAME, type Setting, TOKEN_VARIABLE } from "./setting.ts";
import { exportFile } from "./shell.ts";

/** What is to be done to one client's file, before anything is written. */
export interface Plan {
  readonly row: ClientRow;
  readonly place: EntryPlace;
  readonly state: ClientFileState;
  readonly action: "add" | "renew" | "keep" | "remove" | "none";
  /** The whole text that the file is to have; undefined where the file is to go. */
  readonly text: string | undefined;
  /** What was recorded of the entry before. */
  readonly record: LedgerRecord | undefined;
  readonly entry?: ClientEntry;
  readonly value?: EntryMap;
  readonly undo?: Undo | undefined;
  /** The records of other entries of ours in the file that lead back from elsewhere now. */
  readonly moved?: readonly LedgerRecord[];
  /** A line that keeps the file out of git. */
  readonly exclude?: ExcludeLine;
  /** What a person should know about it. */
  readonly remarks: readonly string[];
}

/**
 * Plans the entry of one client. Throws ClientFileError with the fragment to paste where the file cannot be edited or
 * holds somebody else's entry, and CommandError where the client has no such file or no fitting form of the token.
 */
export async function planEntry(row: ClientRow, setting: Setting, ledger: Ledger): Promise<Plan> {
  const { path, because } = await locate(row, setting);
  const state = await readClientFile(path);
  const standing = await askGit(state.target, setting.around.environment);
  const harness = {
    title: row.title,
    file: path,
    takesReference: row.reference !== undefined,
    isBridged: needsBridge(row, setting.endpoint),
  };
  const { token, remark } = chooseToken(setting, harness, standing);
  const entry = connectEntry(row, setting.endpoint, {
    cwd: setting.scope === "project" ? setting.around.folder : undefined,
    token,
    tokenFile: setting.tokenFile,
    launcher: setting.launcher,
  });
  const value = buildEntry(row, setting.name, entry);
  const place = placeOf(row, setting, path);
  const record = findRecord(ledger, place);
  const others = otherRecords(ledger, place);
  const editing = { row, setting, place, record, others };
  const edit = planEdit({ ...editing, value, text: state.text ?? "" });
  const holdsToken = token !== undefined && "literal" in token;
  return {
    ...{ row, place, state, record, entry, value, ...edit },
    ...(holdsToken && standing.kind === "untracked" && { exclude: standing.exclude }),
    remarks: [
      ...(because === undefined ? [] : [`${because}, so the entry goes there.`]),
      ...(remark === undefined ? [] : [remark]),
      ...tellToken(setting, row, entry),
      ...(holdsToken ? warnAboutMode(state, setting.around) : []),
      ...(edit.action === "renew" ? tellChange(record, edit.present) : []),
    ],
  };
}

/** Plans to take the entry of one client back. Throws what reading and editing throw, and for somebody else's entry. */
export async function planRemoval(row: ClientRow, setting: Setting, ledger: Ledger): Promise<Plan> {
  const chosen = await locate(row, setting);
  const recorded = locateClientFiles(row, setting.scope, setting.around)
    .map(({ path }) => findRecord(ledger, placeOf(row, setting, path)))
    .find((record) => record !== undefined);
  const place = placeOf(row, setting, recorded?.file ?? chosen.path);
  const state = await readClientFile(place.file);
  const others = otherRecords(ledger, place);
  const plan = { row, place, state, record: recorded };
  const present = state.text === undefined ? undefined : entryAt(state.text, place);
  if (state.text === undefined || present === undefined)
    return { ...plan, action: "none", text: state.text, remarks: [] };
  requireOwn({ row, setting, place, record: recorded, others }, present);
  const removed = recorded
    ? withdrawEntry(state.text, recorded, { others, preamble: row.preamble })
    : { text: removeEntry(state.text, place).text, isExact: false, moved: [] };
  const isOurFile = removed.isExact && recorded?.madeFile === true && removed.text === "";
  return {
    ...plan,
    action: "remove",
    text: isOurFile ? undefined : removed.text,
    moved: removed.moved,
    remarks: tellChange(recorded, present),
  };
}

interface Editing {
  readonly row: ClientRow;
  readonly setting: Setting;
  readonly place: EntryPlace;
  readonly record: LedgerRecord | undefined;
  readonly others: readonly LedgerRecord[];
}

function planEdit(editing: Editing & { readonly value: EntryMap; readonly text: string }): {
  action: Plan["action"];
  text: string;
  undo?: Undo | undefined;
  moved?: readonly LedgerRecord[];
  present?: unknown;
} {
  const { row, place, record, others, value, text } = editing;
  try {
    return { action: "add", ...insertEntry(text, place, value, row.preamble) };
  } catch (error) {
    if (!(error instanceof ClientFileError) || error.code !== "ENTRY_EXISTS") throw error;
    const present = entryAt(text, place);
    if (isDeepStrictEqual(present, value)) return { action: "keep", text, present };
    if (!isOurs(editing, present)) throw error;
    const renewed = record
      ? renewEntry(text, record, value, { others, preamble: row.preamble })
      : { text: replaceEntry(text, place, value).text, undo: undefined };
    return { action: "renew", ...renewed, present };
  }
}

function requireOwn(editing: Editing, present: unknown): void {
  if (isOurs(editing, present)) return;
  const { file, keyPath, name } = editing.place;
  const field = [...keyPath, name].join(".");
  throw new ClientFileError("ENTRY_EXISTS", "is an entry of somebody else, which stays", {
    file,
    field,
  });
}

function isOurs({ row, setting, place, record }: Editing, present: unknown): boolean {
  if (record !== undefined) return true;
  const entry = readEntry(row, place.name, present);
  const usesDefaultName = place.name === DEFAULT_NAME;
  return entry !== undefined && isOwnEntry(entry, { endpoint: setting.endpoint, usesDefaultName });
}

async function locate(row: ClientRow, { scope, around }: Setting) {
  const file = await chooseClientFile(row, scope, around);
  if (file !== undefined) return file;
  const reason = row.notes.find((note) => note.includes(`no ${scope} file`));
  const lacks = `${row.title} has no ${scope} target`;
  throw new CommandError("NO_SUCH_FILE", reason === undefined ? lacks : `${lacks}: ${reason}`, {
    hint: scope === "global" ? "Leave out --global, in the project's folder" : "Use --global",
  });
}

function placeOf(
  { format, keyPath, listedBy }: ClientRow,
  { name }: Setting,
  file: string,
): EntryPlace {
  return { file, format, keyPath, name, listedBy };
}

function entryAt(text: string, place: EntryPlace): unknown {
  return parseClientDocument(text, place).get([...place.keyPath, place.name]);
}

function tellToken(
  { token, tokenFile = "", endpoint, around }: Setting,
  { reference }: ClientRow,
  entry: ClientEntry,
): string[] {
  if (endpoint.kind === "socket")
    return ["The daemon serves a socket only, so the entry runs a bridge to it."];
  if (entry.kind === "stdio") return ["The bridge reads the token by itself; the file holds none."];
  if (token === undefined)
    return ["The entry has no token, because the configuration sets no server.auth_token_file."];
  if (entry.token === undefined || "literal" in entry.token)
    return ["The file holds the token: treat it as a secret, and do not commit it."];
  const start = `Start the client with the token: ${exportFile(TOKEN_VARIABLE, tokenFile, around.platform)}`;
  return reference?.note === undefined ? [start] : [start, reference.note];
}

function warnAboutMode(
  { stamp, target }: ClientFileState,
  { platform }: Setting["around"],
): string[] {
  if (stamp === undefined || (stamp.mode & 0o077) === 0 || platform === "win32") return [];
  return [`Others on this machine may read the file: chmod 600 ${target}`];
}

function tellChange(record: LedgerRecord | undefined, present: unknown): string[] {
  if (record === undefined || hashEntry(present) === record.entryHash) return [];
  return ["The entry had been changed by hand; a copy of the file is kept."];
}
