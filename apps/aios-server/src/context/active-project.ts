import type { Attributable } from "../memory/attribution.ts";
import type { Catalog } from "../reader/catalog.ts";
import type { Project } from "../reader/project.ts";
import { compareText } from "./order.ts";
import type { SessionGroup } from "./session-groups.ts";

/**
 * The project that the work is probably about: that of the latest session (of several at one time the one with more
 * sessions, then by name), else the first that is active. Takes sessions in any order.
 */
export function inferProject(
  sessions: readonly SessionGroup[],
  catalog: Pick<Catalog, "projects" | "attributionOf">,
): Project | undefined {
  const ownerOf = createOwnerLookup(catalog);
  const groups = new Map<string, Group>();
  for (const { names, latest, count } of sessions) {
    const project = ownerOf(names);
    if (project === undefined) continue;
    const group = groups.get(project.slug) ?? { project, latest: -Infinity, count: 0 };
    groups.set(project.slug, {
      project: group.project,
      latest: Math.max(group.latest, latest),
      count: group.count + count,
    });
  }
  const [first] = [...groups.values()].sort(
    (a, b) =>
      b.latest - a.latest || b.count - a.count || compareText(a.project.slug, b.project.slug),
  );
  return first?.project ?? catalog.projects.find(({ status }) => status === "active");
}

interface Group {
  readonly project: Project;
  /** Milliseconds since 1970 of its latest session. */
  readonly latest: number;
  readonly count: number;
}

/**
 * Finds whose a session is: a listed project by the rule of attribution, else one made up of the name that nobody in
 * the list has. A session that names a listed project and contradicts itself is nobody's.
 */
function createOwnerLookup({
  projects,
  attributionOf,
}: Pick<Catalog, "projects" | "attributionOf">): (session: Attributable) => Project | undefined {
  const listed = new Map<
    unknown,
    { project: Project; owns: (session: Attributable) => boolean }[]
  >();
  for (const project of projects) {
    const owner = { project, owns: attributionOf(project) };
    for (const name of new Set([project.slug, project.id, project.alias]))
      if (name !== undefined) listed.set(name, [...(listed.get(name) ?? []), owner]);
  }
  return (session) => {
    const { project, project_id: id } = session;
    const named = [...(listed.get(project) ?? []), ...(listed.get(id) ?? [])];
    const owner = named.find(({ owns }) => owns(session))?.project;
    const names = [project, id].filter(saysSomething);
    const [name] = names;
    if (owner || name === undefined || names.some((given) => listed.has(given))) return owner;
    return unlisted(name);
  };
}

function saysSomething(name: unknown): name is string {
  return typeof name === "string" && name.trim() !== "";
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
