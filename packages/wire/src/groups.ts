import { randomBytes } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename, rm, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { currentOwner, type Owner, ownerHasEnded, startOfProcess } from "@core/bounds";
import { isObject } from "./message.ts";
import { posixGroup, stopGroup } from "./stop.ts";

/** The process groups of this process's servers, on record for the case that nobody is left to end them (A30). */
export interface Groups {
  /** Puts a group on record by its leader; what it returns takes it off again. */
  remember(leader: number): () => void;
  /** Ends the groups that processes of this app left which were killed. Only a leader that is still the recorded process is touched. */
  sweep(): Promise<void>;
  /** Resolves when the record says what is true. */
  settle(): Promise<void>;
}

/** The leader of a process group, told apart from a later process with its number. */
interface Leader {
  readonly pid: number;
  readonly start: string;
}

interface GroupRecord {
  readonly owner: Owner;
  readonly leaders: readonly Leader[];
}

export interface GroupsOptions {
  /** The start of the folder's name. */
  readonly app: string;
  /** A temporary folder. */
  readonly parent: string;
  /** Missing on Windows, where nothing is recorded. */
  readonly uid: number | undefined;
}

export function createGroups({ app, parent, uid }: GroupsOptions): Groups {
  const folder = join(parent, `${app}.groups-${uid}`);
  const file = join(folder, `${randomBytes(16).toString("hex")}.json`);
  const leaders = new Set<number>();
  let isWritten = false;
  let writing: Promise<void> = Promise.resolve();

  function update(): void {
    // A record that cannot be written costs the tidying up after a crash, and no request.
    if (uid !== undefined) writing = writing.then(write).catch(() => {});
  }

  async function write(): Promise<void> {
    if (leaders.size === 0) {
      if (isWritten) await unlink(file);
      isWritten = false;
      return;
    }
    await mkdir(folder, { mode: 0o700 }).catch(() => {}); // there already, or refused below
    if (!(await isPrivate(folder, uid))) return;
    const record: GroupRecord = {
      owner: await currentOwner(),
      leaders: (await Promise.all([...leaders].map(describe))).flat(),
    };
    const draft = `${file}.draft`;
    try {
      await writeFile(draft, JSON.stringify(record), { mode: 0o600 });
      await rename(draft, file);
    } catch (error) {
      // Half a record is none, and no sweep would take it for one.
      await rm(draft, { force: true });
      throw error;
    }
    isWritten = true;
  }

  return {
    remember(leader) {
      leaders.add(leader);
      update();
      return () => {
        leaders.delete(leader);
        update();
      };
    },
    async sweep() {
      if (uid === undefined || !(await isPrivate(folder, uid))) return;
      const names = await readdir(folder);
      await Promise.all(names.map((name) => sweepRecord(join(folder, name))));
    },
    settle: () => writing,
  };
}

async function describe(pid: number): Promise<Leader[]> {
  const start = await startOfProcess(pid);
  return start === undefined || start === "" ? [] : [{ pid, start }];
}

/** Whether it is a real folder of this user that nobody else can write to. */
async function isPrivate(folder: string, uid: number | undefined): Promise<boolean> {
  try {
    const found = await lstat(folder);
    return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0;
  } catch {
    return false; // not there
  }
}

async function sweepRecord(file: string): Promise<void> {
  try {
    const record = readRecord(await readFile(file, "utf8"));
    if (record === undefined || !(await ownerHasEnded(record.owner))) return;
    await Promise.all(record.leaders.map(endGroup));
    await unlink(file);
  } catch {
    // Another start was faster, or it is no record of ours: either way it is left.
  }
}

async function endGroup({ pid, start }: Leader): Promise<void> {
  if ((await startOfProcess(pid)) === start) await stopGroup(posixGroup(pid), {});
}

function readRecord(text: string): GroupRecord | undefined {
  const value: unknown = JSON.parse(text);
  if (!isObject(value) || !isObject(value.owner) || !Array.isArray(value.leaders)) return undefined;
  const { pid, start, place } = value.owner;
  const isOwner = typeof pid === "number" && typeof start === "string" && typeof place === "string";
  if (!isOwner) return undefined;
  return { owner: { pid, start, place }, leaders: value.leaders.filter(isLeader) };
}

function isLeader(value: unknown): value is Leader {
  return isObject(value) && Number.isSafeInteger(value.pid) && typeof value.start === "string";
}
