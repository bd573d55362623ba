import type { Catalog } from "../reader/catalog.ts";
import type { Project } from "../reader/project.ts";
import { type Row, textOf } from "../reader/rows.ts";
import { canonicalText, compareText } from "./order.ts";
import { capturedAt } from "./recent.ts";

/**
 * The project that the work is probably about: that of the latest session (of several at one time the one with more
 * sessions, then by name), else the first that is active. Takes sessions in any order.
 */
export function inferProject(
  sessions: readonly Row[],
  catalog: Pick<Catalog, "projects" | "attributionOf">,
): Project | undefined {
  const ownerOf = createOwnerLookup(catalog);
  const groups = new Map<string, Group>();
  for (const session of sessions) {
    const project = ownerOf(session);
    if (project === undefined) continue;
    const at = Date.parse(capturedAt(session)) || 0;
    const group = groups.get(project.slug) ?? { project, latest: at, count: 0 };
    const latest = Math.max(group.latest, at);
    groups.set(project.slug, { project: group.project, latest, count: group.count + 1 });
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
}: Pick<Catalog, "projects" | "attributionOf">): (session: Row) => Project | undefined {
  const owners = projects.map((project) => ({ project, owns: attributionOf(project) }));
  const listed = new Set(projects.flatMap(({ slug, id, alias }) => [slug, id, alias]));
  const find = (session: Row) => {
    const owner = owners.find(({ owns }) => owns(session))?.project;
    const names = ["project", "project_id"].flatMap((field) => textOf(session, field) ?? []);
    const [name] = names;
    if (owner || name === undefined || names.some((given) => listed.has(given))) return owner;
    return unlisted(name);
  };
  const known = new Map<string, Project | undefined>();
  return (session) => {
    const key = ownerKeyOf(session);
    if (!known.has(key)) known.set(key, find(session));
    return known.get(key);
  };
}

/** The same for two sessions exactly if they say the same of whose they are; quick for the usual names. */
function ownerKeyOf({ project, project_id: id }: Row): string {
  const names = [project, id];
  const isUsual = names.every((name) => name === undefined || typeof name === "string");
  return isUsual ? JSON.stringify(names) : canonicalText(names);
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
