import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { backUpClientFile } from "./backup.ts";
import { readClientFile } from "./file.ts";

let root: string;
let folder: string;
let path: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "clients-"));
  folder = join(root, "state/backups");
  path = join(root, "mcp.json");
});
afterEach(() => rm(root, { recursive: true }));

async function backUp(text: string, millisecond: number) {
  await writeFile(path, text);
  return backUpClientFile(await readClientFile(path), { folder, now: new Date(millisecond) });
}

it("[G22] a backup is the same bytes with mode 0600 in a folder of mode 0700", async () => {
  const name = await backUp("\uFEFF{}\r\n", 0);
  expect(name).toMatch(/^[0-9a-f]{16}-19700101T000000000Z-[0-9a-f]{8}\.bak$/);
  expect(await readFile(join(folder, name!), "utf8")).toBe("\uFEFF{}\r\n");
  if (process.platform === "win32") return;
  expect((await stat(join(folder, name!))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

it("[G22] the last five backups of a file are kept, and those of other files stay", async () => {
  const names: (string | undefined)[] = [];
  for (let index = 0; index < 5; index++) names.push(await backUp(`${index}`, index));
  await writeFile(join(folder, "0123456789abcdef-19700101T000000000Z-00000000.bak"), "other");
  expect((await readdir(folder)).length).toBe(6);
  names.push(await backUp("5", 5));
  const kept = await readdir(folder);
  expect(kept.length).toBe(6);
  expect(kept).not.toContain(names[0]);
  for (const name of names.slice(1)) expect(kept).toContain(name);
});

it("[G22] two backups in one millisecond are two files", async () => {
  expect(await backUp("a", 7)).not.toBe(await backUp("b", 7));
});

it("[G22] a missing file has no backup", async () => {
  expect(
    await backUpClientFile(await readClientFile(path), { folder, now: new Date(0) }),
  ).toBeUndefined();
  expect(await readdir(root)).toEqual([]);
});
