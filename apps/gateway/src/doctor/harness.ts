import {
  ClientFileError,
  type ClientFileState,
  type ClientRow,
  type ClientScope,
  clients,
  type EntryPlace,
  findClient,
  findRecord,
  hashEntry,
  type Ledger,
  locateClientFiles,
  parseClientDocument,
  readClientFile,
  readEntry,
  readLedger,
} from "@core/clients";
import { type Endpoint, isOwnEntry } from "../harness/endpoint.ts";
import { askGit } from "../harness/git.ts";
import { DEFAULT_NAME, type Setting } from "../harness/setting.ts";
import { type Finding, fault, fine, warning } from "./finding.ts";

export interface HarnessCheck extends Pick<Setting, "around" | "ledgerFile"> {
  readonly endpoint: Endpoint;
  /** The gateway's token; undefined where there is none. */
  readonly token: string | undefined;
}

interface Looking {
  readonly row: ClientRow;
  readonly scope: ClientScope;
  readonly place: EntryPlace;
}

/** Looks at each entry that init has recorded, and at those under the usual name in this folder's and the global files. */
export async function checkHarnesses(check: HarnessCheck): Promise<Finding[]> {
  try {
    const ledger = await readLedger(check.ledgerFile);
    const found: Finding[] = [];
    for (const looking of placesOf(ledger, check))
      found.push(...(await checkEntry(looking, ledger, check)));
    return found;
  } catch (error) {
    if (!(error instanceof ClientFileError)) throw error;
    const looked = { id: "harness", subject: check.ledgerFile };
    return [fault(looked, error.reason, "Move the ledger away; entries stay where they are")];
  }
}

function placesOf({ records }: Ledger, { around }: HarnessCheck): Looking[] {
  const recorded = records.flatMap(({ client, scope, file, format, keyPath, name }) => {
    const row = findClient(client);
    return row ? [{ row, scope, place: { file, format, keyPath, name } }] : [];
  });
  const usual = clients.flatMap((row) =>
    (["project", "global"] as const).flatMap((scope) =>
      locateClientFiles(row, scope, around).map(({ path: file }) => {
        const { format, keyPath } = row;
        return { row, scope, place: { file, format, keyPath, name: DEFAULT_NAME } };
      }),
    ),
  );
  const keys = new Set<string>();
  return [...recorded, ...usual].filter(({ place: { file, name } }) => {
    const key = `${file}\0${name}`;
    return keys.has(key) ? false : keys.add(key);
  });
}

async function checkEntry(
  { row, scope, place }: Looking,
  ledger: Ledger,
  check: HarnessCheck,
): Promise<Finding[]> {
  const looked = { id: "harness", subject: `${row.id} ${place.file}` };
  const record = findRecord(ledger, place);
  const global = scope === "global" ? " --global" : "";
  const again = `wraptool init --harness ${row.id}${global}`;
  try {
    const state = await readClientFile(place.file);
    const present = entryIn(state, place);
    if (present === undefined)
      return record ? [warning(looked, "the entry that init wrote has gone", again)] : [];
    const entry = readEntry(row, place.name, present);
    const isAsWritten = record !== undefined && hashEntry(present) === record.entryHash;
    const isOurs = entry && (isAsWritten || isOwnEntry(entry, { ...check, usesDefaultName: true }));
    if (entry === undefined || !isOurs) {
      const reason = record ? "the entry was changed by hand" : "the entry is not this gateway's";
      return [warning(looked, reason, `Look at it, or run ${again} --remove`)];
    }
    const token = "token" in entry ? entry.token : undefined;
    const literal = token !== undefined && "literal" in token ? token.literal : undefined;
    const leads = leadsElsewhere(entry, check.endpoint);
    const findings = [
      ...(leads ? [warning(looked, "the entry leads to another address", again)] : []),
      ...(entry.kind !== "stdio" && check.token !== undefined && token === undefined
        ? [fault(looked, "the entry has no token, and the gateway asks for one", again)]
        : []),
      ...(literal !== undefined && check.token !== undefined && literal !== check.token
        ? [fault(looked, "the entry holds another token than the gateway's", again)]
        : []),
      ...(literal === undefined ? [] : await checkSecrecy(looked, state, check)),
    ];
    return findings.length > 0 ? findings : [fine(looked, "the entry leads to this gateway")];
  } catch (error) {
    if (!(error instanceof ClientFileError)) throw error;
    // A file that was never ours is the client's affair, unless init wrote into it.
    return record ? [fault(looked, error.reason, "Repair the file, or restore a copy")] : [];
  }
}

function entryIn({ text }: ClientFileState, place: EntryPlace): unknown {
  if (text === undefined) return undefined;
  return parseClientDocument(text, place).get([...place.keyPath, place.name]);
}

function leadsElsewhere(entry: NonNullable<ReturnType<typeof readEntry>>, endpoint: Endpoint) {
  if (entry.kind === "stdio" || endpoint.kind === "socket") return false;
  return new URL(entry.url).origin !== endpoint.url.origin;
}

async function checkSecrecy(
  looked: Pick<Finding, "id" | "subject">,
  { target, stamp }: ClientFileState,
  { around }: HarnessCheck,
): Promise<Finding[]> {
  const isOpen = process.platform !== "win32" && ((stamp?.mode ?? 0) & 0o077) !== 0;
  const { kind } = await askGit(target, around.environment);
  return [
    ...(isOpen ? [warning(looked, "others may read the token in it", `chmod 600 ${target}`)] : []),
    ...(kind === "tracked"
      ? [
          fault(
            looked,
            "git tracks it, and the token stands in it",
            "wraptool init --token reference, and a new token",
          ),
        ]
      : []),
    ...(kind === "untracked"
      ? [warning(looked, "git may add it, and the token stands in it", "Ignore the file in git")]
      : []),
  ];
}
