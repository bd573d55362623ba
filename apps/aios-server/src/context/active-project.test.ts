import { describe, expect, it } from "vitest";
import { createAttribution } from "../memory/attribution.ts";
import { type Project, parseProject } from "../reader/project.ts";
import { inferProject } from "./active-project.ts";
import { groupSessions } from "./session-groups.ts";

function project(slug: string, yaml: string): Project {
  return parseProject(slug, `---\n${yaml}\n---\n`)!;
}

const projects = [
  project("beacon", "id: prj-b\nstatus: paused"),
  project("oak", "id: prj-o\nstatus: active"),
  project("tidewater", "id: prj-t\nproject: tide\nstatus: active"),
];
const catalogOf = (some: readonly Project[]) => ({
  projects: some,
  attributionOf: createAttribution(some),
});
const infer = (sessions: Record<string, unknown>[]) =>
  inferProject(groupSessions(sessions), catalogOf(projects))?.name;

describe("inferProject", () => {
  it("is the latest session's, by any of the project's names", () => {
    const late = { captured_at: "2026-11-30T10:00:00Z" };
    const early = { captured_at: "2026-11-29T10:00:00Z", project: "beacon" };
    for (const names of [{ project: "tide" }, { project_id: "prj-t" }, { project: "tidewater" }])
      expect(infer([early, { ...late, ...names }, early])).toBe("tide");
  });

  it("prefers more sessions, then the name, where two are of one time", () => {
    const at = { captured_at: "2026-11-30T10:00:00Z" };
    const oak = { ...at, project: "oak" };
    const beacon = { ...at, project: "beacon" };
    expect(infer([oak, beacon])).toBe("beacon");
    expect(infer([beacon, oak, { project: "prj-o" }])).toBe("oak");
  });

  it("may be one that no README introduces, but none that contradicts itself", () => {
    expect(infer([{ captured_at: "2026-11-30T10:00:00Z", project: "kestrel" }])).toBe("kestrel");
    expect(infer([{ project: "tide", project_id: "prj-b" }])).toBe("oak");
  });

  it("is else the first active one", () => {
    expect(infer([{ captured_at: "2026-11-30T10:00:00Z" }])).toBe("oak");
    expect(inferProject([], catalogOf([]))).toBeUndefined();
  });
});
