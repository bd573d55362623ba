import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { currentOwner, startOfProcess } from "@core/bounds";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGroups } from "./groups.ts";

const uid = process.getuid?.();
let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "groups-test-"));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const isAlive = async (pid: number) => (await startOfProcess(pid)) !== undefined;

/** A process that leads a group of its own, as servers do. */
function startLeader() {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
    detached: true,
    stdio: "ignore",
  });
  const pid = child.pid as number;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  return {
    pid,
    exited,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await exited;
    },
  };
}

/** The folder of the records, with one in it whose owner is as given. */
async function record(owner: object, leaders: unknown[]): Promise<string> {
  const folder = join(parent, `demo.groups-${uid}`);
  await mkdir(folder, { mode: 0o700 });
  await writeFile(join(folder, "left.json"), JSON.stringify({ owner, leaders }));
  return folder;
}

const deadOwner = async () => ({ ...(await currentOwner()), start: "an earlier boot/1" });

describe.skipIf(uid === undefined)("createGroups", () => {
  it("[A30] keeps a group on record as long as it is remembered", async () => {
    await using leader = startLeader();
    const groups = createGroups({ app: "demo", parent, uid });
    const forget = groups.remember(leader.pid);
    await groups.settle();
    const folder = join(parent, `demo.groups-${uid}`);
    const [name = ""] = await readdir(folder);
    const { owner, leaders } = JSON.parse(await readFile(join(folder, name), "utf8"));
    expect(owner).toEqual(await currentOwner());
    expect(leaders).toEqual([{ pid: leader.pid, start: await startOfProcess(leader.pid) }]);
    forget();
    await groups.settle();
    expect(await readdir(folder)).toEqual([]);
  });

  it("[A30] ends a group whose owner was killed, and its record goes", async () => {
    await using leader = startLeader();
    const start = await startOfProcess(leader.pid);
    const folder = await record(await deadOwner(), [{ pid: leader.pid, start }]);
    await createGroups({ app: "demo", parent, uid }).sweep();
    await leader.exited;
    expect(await readdir(folder)).toEqual([]);
  });

  it("[A30] leaves a process that has but the number of a recorded leader", async () => {
    await using leader = startLeader();
    const leaders = [{ pid: leader.pid, start: "an earlier boot/7" }, { pid: 1, start: 2 }, "odd"];
    await record(await deadOwner(), leaders);
    await createGroups({ app: "demo", parent, uid }).sweep();
    expect(await isAlive(leader.pid)).toBe(true);
  });

  it("[A30] leaves the groups of an owner that lives, and records that are none", async () => {
    await using leader = startLeader();
    const start = await startOfProcess(leader.pid);
    const folder = await record(await currentOwner(), [{ pid: leader.pid, start }]);
    await writeFile(join(folder, "torn.json"), '{"owner":');
    await createGroups({ app: "demo", parent, uid }).sweep();
    expect(await isAlive(leader.pid)).toBe(true);
    expect((await readdir(folder)).toSorted()).toEqual(["left.json", "torn.json"]);
  });

  it("[A30] neither believes nor writes in a folder that others may write to", async () => {
    await using leader = startLeader();
    const start = await startOfProcess(leader.pid);
    const folder = await record(await deadOwner(), [{ pid: leader.pid, start }]);
    await chmod(folder, 0o777);
    const groups = createGroups({ app: "demo", parent, uid });
    await groups.sweep();
    groups.remember(leader.pid);
    await groups.settle();
    expect(await isAlive(leader.pid)).toBe(true);
    expect(await readdir(folder)).toEqual(["left.json"]);
  });
});
