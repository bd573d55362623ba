import { chmod, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { revealSecret } from "@core/config";
import { createTempFolder, edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { readToken, writeToken } from "./token.ts";

describe("writeToken", () => {
  it("[G28] writes 256 random bits of mode 0600 into a folder of mode 0700", async () => {
    await using folder = createTempFolder();
    const path = join(folder.path, "new", "token");
    expect(await writeToken(path)).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder.path, "new"))).mode & 0o777).toBe(0o700);
    expect(await readFile(path, "utf8")).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
  });

  it("replaces a token only when asked to", async () => {
    await using folder = createTempFolder();
    const path = join(folder.path, "token");
    await writeToken(path);
    const first = await readFile(path, "utf8");
    expect(await writeToken(path)).toBe(false);
    expect(await readFile(path, "utf8")).toBe(first);
    expect(await writeToken(path, { replace: true })).toBe(true);
    expect(await readFile(path, "utf8")).not.toBe(first);
  });

  it("does not write through a link that stands at the path", async () => {
    await using folder = createTempFolder();
    const path = join(folder.path, "token");
    await symlink(join(folder.path, "elsewhere"), path);
    expect(await writeToken(path)).toBe(false);
  });
});

describe("readToken", () => {
  it("[G5] reads one line as a secret that does not print", async () => {
    await using folder = createTempFolder();
    const path = await writeFileOf(folder.path, "a-token-of-some-length\n");
    const token = readToken(path);
    expect(revealSecret(token)).toBe("a-token-of-some-length");
    expect(`${token}${JSON.stringify({ token })}`).not.toContain("a-token");
  });

  it("[G5] refuses a missing file with the command that makes one", async () => {
    await using folder = createTempFolder();
    const path = join(folder.path, "token");
    expect(() => readToken(path)).toThrow(`${path}: does not exist; run wraptool token new`);
  });

  it.each([0o640, 0o604, 0o622, 0o610])(
    "[G5] refuses a file of mode %o with the chmod that helps",
    async (mode) => {
      await using folder = createTempFolder();
      const path = await writeFileOf(folder.path, "a-token-of-some-length\n", mode);
      expect(() => readToken(path)).toThrow(/chmod 600/);
    },
  );

  it("refuses a token that is too short, and takes one of 16 characters", async () => {
    await using folder = createTempFolder();
    const [under, on, over] = edges(16);
    const reads = async (length: number) =>
      readToken(await writeFileOf(folder.path, "x".repeat(length)));
    await expect(reads(under)).rejects.toThrow(/at least 16 characters/);
    await expect(reads(on)).resolves.toBeDefined();
    await expect(reads(over)).resolves.toBeDefined();
  });

  it.each([
    ["two lines", "a-token-of-some-length\nand-another-token\n"],
    ["a blank inside", "a token of some length"],
    ["other than ASCII", "ein-schlüssel-für-alles"],
    ["too much", "x".repeat(5000)],
  ])("refuses %s without showing it", async (_name, content) => {
    await using folder = createTempFolder();
    const path = await writeFileOf(folder.path, content);
    expect(() => readToken(path)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(content) }),
    );
  });

  it("refuses a folder", async () => {
    await using folder = createTempFolder();
    expect(() => readToken(folder.path)).toThrow(/regular file/);
  });
});

async function writeFileOf(folder: string, content: string, mode = 0o600): Promise<string> {
  const path = join(folder, "token");
  await writeFile(path, content);
  await chmod(path, mode);
  return path;
}
