import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { repository } from "../src/index.ts";

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly permissions?: object; readonly "timeout-minutes"?: number }>
  >;
}

const folder = join(repository, ".github", "workflows");
const workflows = readdirSync(folder).map((name) => {
  const text = readFileSync(join(folder, name), "utf8");
  return { name, text, workflow: parse(text) as Workflow };
});

describe.each(workflows)("the workflow $name", ({ name, text, workflow }) => {
  it("[W5] pins every action to a commit, with its version beside it", () => {
    const actions = text.match(/uses: .*/g) ?? [];
    const pinned = /^uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(actions.filter((line) => !pinned.test(line))).toEqual([]);
  });

  it("[W5] may read the repository and nothing more, but for the jobs that say otherwise", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    const asking = Object.values(workflow.jobs).filter(({ permissions }) => permissions);
    expect(asking).toHaveLength(/release|codeql/.test(name) ? 1 : 0);
    expect(Object.keys(workflow.on)).not.toContain("pull_request_target");
  });

  it("[W5] bounds the time of every job", () => {
    const unbounded = Object.entries(workflow.jobs).filter(([, job]) => !job["timeout-minutes"]);
    expect(unbounded.map(([job]) => job)).toEqual([]);
  });
});
