import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder, sampleAios } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { trappedDisk, watchedDisk } from "../../test/disk.ts";
import { createAios, snapshotTree, waitForTick, writeFiles } from "../../test/folder.ts";
import type { RawArguments } from "../arguments/fields.ts";
import { limits } from "../limits.ts";
import type { Disk } from "../reader/disk.ts";
import { reportFailure } from "../response/failure.ts";
import { createAiosServer } from "../server.ts";

const home = "/srv/people/ines";

function resolve(folder: string, given: RawArguments = {}, disk?: Disk) {
  const server = createAiosServer({ folder, version: "1.0.0", home, ...(disk && { disk }) });
  const text = server.resolveSkill({ intent: "plan my day", ...given });
  return { text, ...JSON.parse(text) };
}

function codeOf(...args: Parameters<typeof resolve>): string {
  try {
    resolve(...args);
    return "answered";
  } catch (error) {
    return reportFailure(error).code;
  }
}

const skill = (description: string) => `---\ndescription: ${description}\n---\n`;

describe("resolve_skill", () => {
  it("[S13] names the skill that fits, with its resource below the folder", () => {
    const { text, ...answer } = resolve(sampleAios);
    expect(answer).toEqual({
      intent: "plan my day",
      matches: [
        {
          name: "plan-today",
          description: "Draft a plan for the day from priorities and yesterday's carry-overs.",
          triggers: ["plan my day", "structure today", "what should I do today"],
          score: expect.any(Number),
          reason: 'matched trigger "plan my day"',
          resource: "skills/plan-today/SKILL.md",
        },
      ],
      memory: "shared",
      receipt: "Memory: Shared",
      notice: null,
      complete: true,
      budget: { limit: 6_000, used: text.length, truncated: false },
    });
  });

  it("[S13] counts at most `limit` skills, the best first, and none where none fits", () => {
    const { matches } = resolve(sampleAios, { limit: 10, intent: "write notes about today" });
    const scores = matches.map(({ score }: { score: number }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.length).toBeGreaterThan(2);
    expect(resolve(sampleAios, { intent: "xyzzy" }).matches).toEqual([]);
  });

  it.each(["tidewater", "prj-tidewater-4f2", " tide "])(
    "[S13] changes the receipt alone for the project %j",
    (project) => {
      const { text: _, budget: __, ...scoped } = resolve(sampleAios, { project, limit: 10 });
      const { text: ___, budget: ____, ...shared } = resolve(sampleAios, { limit: 10 });
      expect(scoped).toEqual({ ...shared, memory: "project", receipt: "Memory: This project" });
    },
  );

  it("[S5] refuses a project that is unknown, ambiguous or no selector", async () => {
    expect(codeOf(sampleAios, { project: "none" })).toBe("SELECTOR_UNKNOWN");
    expect(codeOf(sampleAios, { project: "a\tb" })).toBe("SELECTOR_MALFORMED");
    await using folder = createAios({
      "projects/a/README.md": "---\nproject: same\n---\n",
      "projects/b/README.md": "---\nproject: same\n---\n",
      "projects/bad/README.md": "---\nid: [open\n---\n",
    });
    expect(codeOf(folder.path, { project: "same" })).toBe("SELECTOR_AMBIGUOUS");
    expect(codeOf(folder.path, { project: "bad" })).toBe("PROJECT_IDENTITY_INVALID");
    expect(resolve(folder.path, { project: "a" })).not.toHaveProperty("skipped");
  });

  it("[S2] touches nothing while memory is off, and still refuses bad arguments", () => {
    expect(resolve("/nowhere", { memory: "off", project: "x" }, trappedDisk)).toMatchObject({
      matches: [],
      memory: "off",
      receipt: "Memory: Off",
      notice: expect.stringMatching(/^Memory is off/),
      complete: true,
    });
    for (const given of [
      { memory: "off", intent: " " },
      { memory: "off", limit: 11 },
    ])
      expect(codeOf("/nowhere", given, trappedDisk)).toBe("ARGUMENT_RANGE");
    expect(codeOf("/nowhere", { memory: "project" }, trappedDisk)).toBe("MEMORY_NEEDS_PROJECT");
    expect(() => resolve("/nowhere", {}, trappedDisk)).toThrow("looked at");
  });

  it("[S13] says how many skills nobody could read, and fails for a linked one", async () => {
    await using folder = createAios({
      "skills/good/SKILL.md": skill("plan my day"),
      "skills/bad/SKILL.md": "---\nname: [open\n---\n",
      "skills/latin/SKILL.md": Buffer.from([0xff]),
    });
    expect(resolve(folder.path)).toMatchObject({
      matches: [{ name: "good" }],
      skipped: { skills: 2 },
    });
    writeFiles(folder.path, { "skills/linked/x": "" });
    symlinkSync("../good/SKILL.md", join(folder.path, "skills/linked/SKILL.md"));
    expect(codeOf(folder.path)).toBe("SOURCE_LINKED");
  });

  it("[S16] shows neither the folder, the vault and the home folder nor any other machine path", async () => {
    await using vault = createTempFolder();
    await using folder = createAios();
    const paths = [folder.path, vault.path, home, "/home/ines", "C:\\Users\\Ines"];
    writeFiles(folder.path, {
      "aios.json": JSON.stringify({ schema_version: "1.2.0", vault_path: vault.path }),
      "skills/a/SKILL.md": skill(`plan my day with ${paths.map((path) => `${path}/x`).join(" ")}`),
    });
    const { text, matches } = resolve(folder.path);
    expect(matches[0].description).toBe(`plan my day with${" [path]".repeat(5)}`);
    for (const path of paths) expect(text).not.toContain(path);
  });

  it("[S13] does without a valid aios.json", async () => {
    await using folder = createAios({
      "aios.json": "{",
      "skills/a/SKILL.md": skill("plan my day"),
    });
    expect(resolve(folder.path).matches).toHaveLength(1);
  });

  it.each([
    ["letters", "x".repeat(limits.maxIntentCodePoints)],
    ["emoji", "🌊".repeat(limits.maxIntentCodePoints)],
  ])("[S13] answers an intent of 500 %s within 256 characters in every mode", (_, intent) => {
    for (const given of [{}, { project: "tide" }, { memory: "off" }]) {
      const { text, budget } = resolve(sampleAios, { intent, budget: 256, ...given });
      expect(text.length).toBeLessThanOrEqual(256);
      expect(budget).toEqual({ limit: 256, used: text.length, truncated: true });
    }
  });

  it("[S21] is refused when a SKILL.md changes after it was read", async () => {
    await using folder = createAios({ "skills/a/SKILL.md": skill("plan my day") });
    waitForTick(join(folder.path, "skills/a/SKILL.md"));
    let isRead = false;
    const disk = watchedDisk(({ method }) => {
      if (isRead && method === "close")
        writeFiles(folder.path, { "skills/a/SKILL.md": skill("plan your day") });
      if (method === "read") isRead = true;
    });
    expect(codeOf(folder.path, {}, disk)).toBe("SOURCE_CHANGED");
  });

  it("[S22] leaves the tree as it was, also after a failed call", async () => {
    const before = snapshotTree(sampleAios);
    resolve(sampleAios);
    codeOf(sampleAios, { project: "none" });
    expect(snapshotTree(sampleAios)).toEqual(before);
  });
});
