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
import { DEFAULT_NAME, type Setting } from "../harness/setting.ts";
import { examineEntry } from "./entry.ts";
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
  const recorded = records.flatMap(({ client, scope, file, format, keyPath, name, listedBy }) => {
    const row = findClient(client);
    return row ? [{ row, scope, place: { file, format, keyPath, name, listedBy } }] : [];
  });
  const usual = clients.flatMap((row) =>
    (["project", "global"] as const).flatMap((scope) =>
      locateClientFiles(row, scope, around).map(({ path: file }) => {
        const { format, keyPath, listedBy } = row;
        return { row, scope, place: { file, format, keyPath, name: DEFAULT_NAME, listedBy } };
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
  const again = commandFor(row, scope, place.name);
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
    const { endpoint, token, around } = check;
    const { environment } = around;
    const examined = { looked, entry, state, endpoint, token, environment, again };
    const wrong = await examineEntry(examined);
    return wrong.length > 0 ? wrong : [fine(looked, "the entry leads to this gateway")];
  } catch (error) {
    if (!(error instanceof ClientFileError)) throw error;
    // A file that was never ours is the client's affair, unless init wrote into it.
    return record ? [fault(looked, error.reason, "Repair the file, or restore a copy")] : [];
  }
}

/** The command that writes an entry anew. */
function commandFor({ id }: ClientRow, scope: ClientScope, name: string): string {
  const flags = [
    ...(scope === "global" ? ["--global"] : []),
    ...(name === DEFAULT_NAME ? [] : ["--name", name]),
  ];
  return ["wraptool init --harness", id, ...flags].join(" ");
}

function entryIn({ text }: ClientFileState, place: EntryPlace): unknown {
  if (text === undefined) return undefined;
  return parseClientDocument(text, place).get([...place.keyPath, place.name]);
}
