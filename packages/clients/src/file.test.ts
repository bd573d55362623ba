import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, open, realpath, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { MAX_FILE_BYTES, readClientFile } from "./file.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "clients-")));
  path = join(folder, "mcp.json");
});
afterEach(() => rm(folder, { recursive: true }));

const refusal = (code: string) => expect.objectContaining({ code, place: { file: path } });

it("[G22] reads the whole text, byte order mark and line ends as they are", async () => {
  await writeFile(path, "\uFEFF{}\r\n");
  expect(await readClientFile(path)).toMatchObject({ path, target: path, text: "\uFEFF{}\r\n" });
});

it("[G22] a missing file is a state, not an error, also below missing folders", async () => {
  const deep = join(folder, "a/b/mcp.json");
  expect(await readClientFile(deep)).toEqual({
    path: deep,
    target: deep,
    text: undefined,
    stamp: undefined,
  });
});

it("[G22] links are followed, also a chain that ends at no file yet", async () => {
  await mkdir(join(folder, "dotfiles"));
  await symlink("dotfiles", join(folder, "linked"));
  await symlink(join("linked", "real.json"), path);
  const target = join(folder, "dotfiles/real.json");
  expect(await readClientFile(path)).toMatchObject({
    target: join(folder, "linked/real.json"),
    text: undefined,
  });
  await writeFile(target, "{}");
  expect(await readClientFile(path)).toMatchObject({ target, text: "{}" });
});

it("[G22] links in a circle are refused", async () => {
  await symlink("other", path);
  await symlink("mcp.json", join(folder, "other"));
  await expect(readClientFile(path)).rejects.toThrow(refusal("NOT_A_FILE"));
});

it("[G22] a folder, a pipe and a device are refused without waiting for them", async () => {
  await mkdir(path);
  await expect(readClientFile(path)).rejects.toThrow(refusal("NOT_A_FILE"));
  await rm(path, { recursive: true });
  if (process.platform === "win32") return;
  execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", path]);
  await expect(readClientFile(path)).rejects.toThrow(refusal("NOT_A_FILE"));
  await rm(path);
  await symlink("/dev/null", path);
  await expect(readClientFile(path)).rejects.toThrow(refusal("NOT_A_FILE"));
});

it("[G22] a file in the place of a folder is unreadable, and the code is all that is said", async () => {
  await writeFile(path, "");
  const below = join(path, "mcp.json");
  await expect(readClientFile(below)).rejects.toThrow(`${below}: cannot be read (ENOTDIR)`);
});

it("[G22] bytes that are not UTF-8 are refused", async () => {
  await writeFile(path, Buffer.from([0x7b, 0xff, 0x7d]));
  await expect(readClientFile(path)).rejects.toThrow(refusal("BAD_ENCODING"));
});

it("[G22] 32 MiB are read and one byte more is not", async () => {
  await (await open(path, "w")).close();
  await truncate(path, MAX_FILE_BYTES);
  expect((await readClientFile(path)).text).toHaveLength(MAX_FILE_BYTES);
  await truncate(path, MAX_FILE_BYTES + 1);
  await expect(readClientFile(path)).rejects.toThrow(refusal("TOO_LARGE"));
});
