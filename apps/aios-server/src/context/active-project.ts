import { type Attributable, createAttribution } from "../memory/attribution.ts";
import type { Project } from "../reader/project.ts";
import { type Row, textOf } from "../reader/rows.ts";
import { compareText } from "./order.ts";
import { capturedAt } from "./recent.ts";

/**
 * The project that the work is probably about: that of the latest session (of several at one time the one with more
 * sessions, then by name), else the first that is active. Takes sessions in any order.
 */
export function inferProject(
  sessions: readonly Row[],
  projects: readonly Project[],
): Project | undefined {
  const owners = projects.map((project) => ({
    project,
    owns: createAttribution(project, projects),
  }));
  const groups = new Map<string, Group>();
  for (const session of sessions) {
    const owner = owners.find(({ owns }) => owns(session as Attributable))?.project;
    const name = owner?.slug ?? textOf(session, "project") ?? textOf(session, "project_id");
    if (name === undefined) continue;
    const group = groups.get(name) ?? { project: owner ?? unlisted(name), latest: -1, count: 0 };
    const at = Date.parse(capturedAt(session)) || 0;
    groups.set(name, { ...group, latest: Math.max(group.latest, at), count: group.count + 1 });
  }
  const [first] = [...groups.entries()].sort(
    ([nameA, a], [nameB, b]) =>
      b.latest - a.latest || b.count - a.count || compareText(nameA, nameB),
  );
  return first?.[1].project ?? projects.find(({ status }) => status === "active");
}

interface Group {
  readonly project: Project;
  /** Milliseconds since 1970 of its latest session. */
  readonly latest: number;
  readonly count: number;
}

/** A project that sessions name and no README introduces. */
function unlisted(name: string): Project {
  return {
    slug: name,
    id: undefined,
    alias: undefined,
    name,
    status: "unknown",
    domains: [],
    description: "",
    excerpt: "",
  };
}
