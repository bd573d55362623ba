import { join, sep } from "node:path";
import {
  backUpClientFile,
  dropRecord,
  hashEntry,
  type Ledger,
  type LedgerRecord,
  putRecord,
  readLedger,
  removeClientFile,
  type Written,
  writeClientFile,
  writeLedger,
} from "@core/clients";
import { addExclude, removeExclude } from "./exclude.ts";
import { withLock } from "./lock.ts";
import type { Plan } from "./plan.ts";
import type { Setting } from "./setting.ts";

/** As many names of copies as there are copies kept. */
const KEPT_BACKUPS = 5;

/** Does what was planned, and records it. Returns the path of the copy of the file as it was, if one was made. */
export async function carryOut(
  plan: Plan,
  setting: Setting,
  now: Date,
): Promise<string | undefined> {
  if (plan.action === "keep") {
    await keepOutOfGit(plan, setting);
    return undefined;
  }
  if (plan.action === "none") {
    await forget(plan, setting);
    return undefined;
  }
  const { backupFolder: folder } = setting;
  // A file that is ours alone holds nothing to keep, and a copy of it would only be one more copy of the token.
  const isOursAlone = plan.text === undefined;
  const backup = isOursAlone ? undefined : await backUpClientFile(plan.state, { folder, now });
  if (plan.action === "remove") await takeOut(plan, setting);
  else await putIn(plan, setting, { backup, now });
  return backup === undefined ? undefined : join(folder, backup);
}

async function putIn(
  plan: Plan,
  setting: Setting,
  { backup, now }: { backup: string | undefined; now: Date },
): Promise<void> {
  const written = await writeEntry(plan);
  const { row, place, value, undo, record } = plan;
  // What was made for an entry that has gone since is no longer ours.
  const { madeFile, madeFolder } = plan.action === "renew" && record ? record : written;
  const backups = [...(record?.backups ?? []), ...(backup === undefined ? [] : [backup])];
  await updateLedger(setting.ledgerFile, (ledger) =>
    putRecord(withMoved(ledger, plan), {
      ...place,
      client: row.id,
      scope: setting.scope,
      entryHash: hashEntry(value),
      undo,
      madeFile,
      madeFolder,
      exclude: plan.exclude ?? record?.exclude,
      backups: backups.slice(-KEPT_BACKUPS),
      time: now.toISOString(),
    }),
  );
}

/** The file is kept out of git before the token is in it. */
async function writeEntry({ state, text, entry, exclude }: Plan): Promise<Written> {
  const token = entry && "token" in entry ? entry.token : undefined;
  const holdsSecret = token !== undefined && "literal" in token;
  if (exclude !== undefined) await addExclude(exclude);
  try {
    return await writeClientFile(state, text ?? "", { holdsSecret });
  } catch (error) {
    if (exclude !== undefined) await removeExclude(exclude);
    throw error;
  }
}

async function keepOutOfGit({ exclude, record }: Plan, { ledgerFile }: Setting): Promise<void> {
  if (exclude === undefined) return;
  await addExclude(exclude);
  if (record !== undefined)
    await updateLedger(ledgerFile, (ledger) => putRecord(ledger, { ...record, exclude }));
}

async function takeOut(plan: Plan, setting: Setting): Promise<void> {
  const { state, text, record } = plan;
  if (text === undefined) await removeClientFile(state, { madeFolder: record?.madeFolder });
  else await writeClientFile(state, text);
  await forget(plan, setting);
}

async function forget(plan: Plan, { ledgerFile }: Setting): Promise<void> {
  const { record } = plan;
  if (record === undefined) return;
  const ledger = await updateLedger(ledgerFile, (read) =>
    withoutRecord(withMoved(read, plan), record),
  );
  const isStillNeeded = ledger.records.some(({ file }) => file === record.file);
  if (record.exclude !== undefined && !isStillNeeded) await removeExclude(record.exclude);
}

/** The ledger in which the file's other entries lead back from where they are now. */
function withMoved(ledger: Ledger, { moved = [] }: Plan): Ledger {
  return moved.reduce(putRecord, ledger);
}

/** What was made for one entry and now serves another is that one's to take back: a line for git, or a folder. */
function withoutRecord(ledger: Ledger, record: LedgerRecord): Ledger {
  const { exclude, madeFolder } = record;
  const rest = dropRecord(ledger, record);
  const ofFile = rest.records.find(({ file }) => file === record.file);
  const withLine = exclude && ofFile ? putRecord(rest, { ...ofFile, exclude }) : rest;
  const inFolder = withLine.records.find(
    ({ file }) => madeFolder !== undefined && file.startsWith(madeFolder + sep),
  );
  return inFolder ? putRecord(withLine, { ...inFolder, madeFolder }) : withLine;
}

/** Several runs at once write one ledger, one after another. */
function updateLedger(path: string, change: (ledger: Ledger) => Ledger): Promise<Ledger> {
  return withLock(path, async () => writeLedger(change(await readLedger(path))));
}
