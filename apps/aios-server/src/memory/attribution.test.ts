import { describe, expect, it } from "vitest";
import { createAttribution, type ProjectNames } from "./attribution.ts";

const project = (slug: string, id?: string, alias?: string): ProjectNames => ({ slug, id, alias });
const tidewater = project("tidewater", "prj-1", "tide");
const others = [project("beacon-ferries", "prj-2", "beacon"), project("hollow-oak")];
const owns = createAttribution([tidewater, ...others])(tidewater);

describe("createAttribution", () => {
  it.each([
    { project: "tidewater" },
    { project: "prj-1" },
    { project: "tide" },
    { project_id: "prj-1" },
    { project: "tide", project_id: "prj-1" },
    { project: "tidewater", project_id: null },
    { project: null, project_id: "prj-1" },
  ])("[S4] counts slug, stable id and unique alias: %j", (record) => {
    expect(owns(record)).toBe(true);
  });

  it.each([{}, { project: null }, { project: null, project_id: null }])(
    "[S4] takes an absent or null field for no attribution: %j",
    (record) => {
      expect(owns(record)).toBe(false);
    },
  );

  it.each([
    { project: "tidewater", project_id: "prj-2" },
    { project: "beacon", project_id: "prj-1" },
    { project: "elsewhere", project_id: "prj-1" },
    { project: "tidewater", project_id: "" },
    { project: "", project_id: "prj-1" },
    { project: 7, project_id: "prj-1" },
    { project: " tidewater" },
    { project_id: "tidewater" },
  ])("[S4] leaves out a record whose fields disagree or are malformed: %j", (record) => {
    expect(owns(record)).toBe(false);
  });

  it("[S4] counts a shared alias only beside the project's own id", () => {
    const first = project("one", "prj-1", "common");
    const all = [first, project("two", "prj-2", "common")];
    const ownsFirst = createAttribution(all)(first);
    expect(ownsFirst({ project: "common" })).toBe(false);
    expect(ownsFirst({ project: "common", project_id: "prj-1" })).toBe(true);
    expect(ownsFirst({ project: "common", project_id: "prj-2" })).toBe(false);
  });

  it("[S4] gives a name that is one project's alias and another's slug to the slug", () => {
    const aliased = project("one", undefined, "two");
    const named = project("two");
    const all = [aliased, named];
    expect(createAttribution(all)(aliased)({ project: "two" })).toBe(false);
    expect(createAttribution(all)(named)({ project: "two" })).toBe(true);
  });
});
