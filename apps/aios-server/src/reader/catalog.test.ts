import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { edges, sampleAios } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { createAios } from "../../test/folder.ts";
import { openForTest } from "../../test/reading.ts";
import { limits } from "../limits.ts";
import { readCatalog } from "./catalog.ts";

function catalogOf(folder: string) {
  using reader = openForTest(folder);
  return readCatalog(reader);
}

const readme = (yaml: string) => `---\n${yaml}\n---\n`;
const coded = (code: string) => expect.objectContaining({ code });

describe("readCatalog", () => {
  it("finds the sample's projects, each under slug, id and alias alone", () => {
    const catalog = catalogOf(sampleAios);
    expect(catalog.projects.map(({ slug }) => slug)).toEqual([
      "beacon-ferries",
      "hollow-oak",
      "tidewater",
    ]);
    for (const selector of ["tidewater", "prj-tidewater-4f2", "tide"])
      expect(catalog.select(selector).slug).toBe("tidewater");
    for (const selector of ["Tidewater", "tidewater ", "projects/tidewater", "water"])
      expect(() => catalog.select(selector)).toThrow(coded("SELECTOR_UNKNOWN"));
    expect(catalog.unusable).toEqual([]);
  });

  it("[S5] passes over malformed neighbours and counts them", async () => {
    await using folder = createAios({
      "projects/good/README.md": readme("id: prj-1"),
      "projects/bad-yaml/README.md": readme("id: [open"),
      "projects/bad-bytes/README.md": Buffer.from([0xff]),
      "projects/two-ids/README.md": readme("id: a\nproject_id: b"),
      "projects/Bad Name/README.md": readme("id: prj-9"),
      "projects/no-readme/notes.md": "nothing to see",
      "projects/.hidden/README.md": readme("id: [open"),
      "projects/stray.md": "",
    });
    symlinkSync("good", join(folder.path, "projects/linked"));
    const catalog = catalogOf(folder.path);
    expect(catalog.projects.map(({ slug }) => slug)).toEqual(["good"]);
    expect(catalog.unusable).toHaveLength(5);
    expect(catalog.select("good").id).toBe("prj-1");
  });

  it("[S5] faults when the selected project's own identity is bad", async () => {
    await using folder = createAios({
      "projects/bad/README.md": readme("id: [open"),
      "projects/one/README.md": readme("id: same"),
      "projects/two/README.md": readme("id: same"),
    });
    const catalog = catalogOf(folder.path);
    for (const slug of ["bad", "one", "two"])
      expect(() => catalog.select(slug)).toThrow(coded("PROJECT_IDENTITY_INVALID"));
    expect(() => catalog.select("same")).toThrow(coded("SELECTOR_AMBIGUOUS"));
    expect(catalog.unusable).toHaveLength(3);
  });

  it("[S5] refuses a selector that is one project's name and another's alias", async () => {
    await using folder = createAios({
      "projects/tide/README.md": "",
      "projects/water/README.md": readme("project: tide"),
    });
    expect(() => catalogOf(folder.path).select("tide")).toThrow(coded("SELECTOR_AMBIGUOUS"));
  });

  it("[S4] tells records apart by the names of all, also of projects that are passed over", async () => {
    await using folder = createAios({
      "projects/one/README.md": readme("project: common"),
      "projects/two/README.md": readme("id: same\nproject: common"),
      "projects/three/README.md": readme("id: same"),
    });
    const catalog = catalogOf(folder.path);
    const owns = catalog.attributionOf(catalog.select("one"));
    expect([owns({ project: "one" }), owns({ project: "common" })]).toEqual([true, false]);
  });

  it("faults on a linked README, whoever's it is", async () => {
    await using folder = createAios({ "projects/a/notes.md": "" });
    symlinkSync("notes.md", join(folder.path, "projects/a/README.md"));
    expect(() => catalogOf(folder.path)).toThrow(coded("SOURCE_LINKED"));
  });

  it("[S7] lists 256 projects and refuses 257", async () => {
    await using folder = createAios();
    for (const count of edges(limits.maxProjectEntries)) {
      const names = Array.from({ length: count }, (_, at) => `projects/p${at}/README.md`);
      await using projects = createAios(Object.fromEntries(names.map((name) => [name, ""])));
      const read = () => catalogOf(projects.path).projects.length;
      if (count <= limits.maxProjectEntries) expect(read()).toBe(count);
      else expect(read).toThrow(coded("SOURCE_LIMIT"));
    }
    expect(catalogOf(folder.path).projects).toEqual([]);
  });
});
