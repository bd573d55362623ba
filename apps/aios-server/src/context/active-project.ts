import type { Catalog } from "../reader/catalog.ts";
import type { Project } from "../reader/project.ts";
import { type Row, textOf } from "../reader/rows.ts";
import { compareText } from "./order.ts";
import { capturedMs } from "./recent.ts";

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
  for (const { project: name, id, latest, count } of groupByNames(sessions)) {
    const project = ownerOf({ project: name, project_id: id });
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

/** Sessions that say the same of whose they are. */
interface NamedGroup {
  readonly project: OwnerName;
  readonly id: OwnerName;
  latest: number;
  count: number;
}

/** What a session says in one of the two fields: a name, nothing, or something that can be nobody's. */
type OwnerName = string | undefined | typeof MALFORMED;

const MALFORMED = false;

function ownerNameOf(field: unknown): OwnerName {
  if (typeof field === "string") return field;
  return field === undefined || field === null ? undefined : MALFORMED;
}

/** There may be thousands of sessions, of a few projects. */
function groupByNames(sessions: readonly Row[]): NamedGroup[] {
  const groups: NamedGroup[] = [];
  const byProject = new Map<OwnerName, Map<OwnerName, NamedGroup>>();
  for (const session of sessions) {
    const project = ownerNameOf(session.project);
    const id = ownerNameOf(session.project_id);
    const byId = byProject.get(project) ?? new Map<OwnerName, NamedGroup>();
    const group = byId.get(id) ?? { project, id, latest: -Infinity, count: 0 };
    if (group.count === 0) {
      groups.push(group);
      byProject.set(project, byId.set(id, group));
    }
    group.latest = Math.max(group.latest, capturedMs(session));
    group.count++;
  }
  return groups;
}

/**
 * Finds whose a session is: a listed project by the rule of attribution, else one made up of the name that nobody in
 * the list has. A session that names a listed project and contradicts itself is nobody's.
 */
function createOwnerLookup({
  projects,
  attributionOf,
}: Pick<Catalog, "projects" | "attributionOf">): (session: Row) => Project | undefined {
  const listed = new Map<unknown, Project[]>();
  for (const project of projects)
    for (const name of new Set([project.slug, project.id, project.alias]))
      if (name !== undefined) listed.set(name, [...(listed.get(name) ?? []), project]);
  return (session) => {
    const { project, project_id: id } = session;
    const named = [...(listed.get(project) ?? []), ...(listed.get(id) ?? [])];
    const owner = named.find((one) => attributionOf(one)(session));
    const names = ["project", "project_id"].flatMap((field) => textOf(session, field) ?? []);
    const [name] = names;
    if (owner || name === undefined || names.some((given) => listed.has(given))) return owner;
    return unlisted(name);
  };
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
