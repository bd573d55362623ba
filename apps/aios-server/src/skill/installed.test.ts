import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { createAios, makePipe } from "../../test/folder.ts";
import { openForTest } from "../../test/reading.ts";
import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import { readInstalled } from "./installed.ts";

const named = (name: string) => `---\nname: ${name}\n---\n`;

function installedIn(folder: string) {
  using reader = openForTest(folder);
  const { skills, unusable } = readInstalled(reader);
  return { names: skills.map(({ name }) => name), unusable };
}

function faultIn(folder: string): string {
  try {
    installedIn(folder);
    return "none";
  } catch (error) {
    if (error instanceof AiosError) return error.code;
    throw error;
  }
}

describe("readInstalled", () => {
  it("finds the folders with a SKILL.md, in the order of their names", async () => {
    await using folder = createAios({
      "skills/b/SKILL.md": named("one"),
      "skills/a/SKILL.md": "",
      "skills/no-skill/README.md": "",
      "skills/_draft/SKILL.md": named("draft"),
      "skills/.hidden/SKILL.md": named("hidden"),
      "skills/INDEX.md": "",
    });
    expect(installedIn(folder.path)).toEqual({ names: ["a", "one"], unusable: [] });
    await using none = createAios();
    expect(installedIn(none.path)).toEqual({ names: [], unusable: [] });
  });

  it("[S13] counts those that nobody can read, and goes on", async () => {
    await using folder = createAios({
      "skills/good/SKILL.md": named("good"),
      "skills/latin/SKILL.md": Buffer.from([0x2d, 0xe9]),
      "skills/yaml/SKILL.md": "---\na: [open\n---\n",
      "skills/large/SKILL.md": Buffer.alloc(limits.maxSkillBytes + 1, "x"),
      "skills/unended/SKILL.md": `---\n${"x".repeat(limits.maxSkillHeadBytes)}\n---\n`,
      "skills/Bad Name/SKILL.md": named("bad"),
    });
    expect(installedIn(folder.path)).toEqual({
      names: ["good"],
      unusable: ["Bad Name", "large", "latin", "unended", "yaml"],
    });
  });

  it("[S13] reads no more of a SKILL.md than its head, however long its body is", async () => {
    await using folder = createAios({
      "skills/long/SKILL.md": named("long").padEnd(limits.maxSkillBytes, "x"),
      "skills/bytes/SKILL.md": Buffer.concat([
        Buffer.from(named("bytes").padEnd(limits.maxSkillHeadBytes)),
        Buffer.from([0xff]),
      ]),
    });
    expect(installedIn(folder.path)).toEqual({ names: ["bytes", "long"], unusable: [] });
  });

  it("[S13] passes over a linked skill folder, and fails for a linked or special SKILL.md", async () => {
    await using folder = createAios({ "other/SKILL.md": named("other"), "skills/a/x": "" });
    symlinkSync("../other", join(folder.path, "skills/linked"));
    expect(installedIn(folder.path)).toEqual({ names: [], unusable: [] });
    symlinkSync("../../other/SKILL.md", join(folder.path, "skills/a/SKILL.md"));
    expect(faultIn(folder.path)).toBe("SOURCE_LINKED");

    await using piped = createAios({ "skills/a/x": "" });
    makePipe(join(piped.path, "skills/a/SKILL.md"));
    expect(faultIn(piped.path)).toBe("SOURCE_NOT_REGULAR");
    await using nested = createAios({ "skills/a/SKILL.md/x": "" });
    expect(faultIn(nested.path)).toBe("SOURCE_NOT_REGULAR");
  });

  it("[S13] fails for a linked skills folder", async () => {
    await using folder = createAios({ "skills/a/SKILL.md": "" });
    renameSync(join(folder.path, "skills"), join(folder.path, "real"));
    symlinkSync("real", join(folder.path, "skills"));
    expect(faultIn(folder.path)).toBe("SOURCE_LINKED");
  });

  it("[S13] takes as many entries as its limit, and fails for one more", async () => {
    await using folder = createAios({ "skills/a/SKILL.md": "" });
    const [, on, over] = edges(limits.maxSkillEntries);
    const fill = (count: number) => {
      for (let at = 1; at < count; at++)
        mkdirSync(join(folder.path, `skills/s${at}`), { recursive: true });
    };
    fill(on);
    expect(faultIn(folder.path)).toBe("none");
    fill(over);
    expect(faultIn(folder.path)).toBe("SOURCE_LIMIT");
  });
});
