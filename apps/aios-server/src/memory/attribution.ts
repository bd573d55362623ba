/** The names that stand for one project: its folder, its stable id and its front-matter alias. */
export interface ProjectNames {
  readonly slug: string;
  readonly id: string | undefined;
  readonly alias: string | undefined;
}

/** The fields of a record by which it says whose it is. */
export interface Attributable {
  readonly project?: unknown;
  readonly project_id?: unknown;
}

/**
 * The one rule by which records belong to a project (S4): slug and id count, an alias counts when it is nobody else's
 * name. An absent or null field says nothing, a record that says nothing belongs to no project, and one whose two
 * fields disagree is out. A name that others have too counts only beside this project's own id. Takes all projects, each
 * of a slug of its own, and gives the rule of each of them.
 */
export function createAttribution(
  all: readonly ProjectNames[],
): (project: ProjectNames) => (record: Attributable) => boolean {
  const slugs = countNames(all.map(({ slug }) => slug));
  const ids = countNames(all.map(({ id }) => id));
  const aliases = countNames(all.map(({ alias }) => alias));
  return (project) => {
    const othersHave = {
      slug: (name: Name) => countOf(slugs, name) > Number(name === project.slug),
      id: (name: Name) => countOf(ids, name) > Number(name === project.id),
      alias: (name: Name) => countOf(aliases, name) > Number(name === project.alias),
    };
    return attributionOf(project, othersHave);
  };
}

type Name = string | undefined;

function attributionOf(
  project: ProjectNames,
  othersHave: Readonly<Record<keyof ProjectNames, (name: Name) => boolean>>,
): (record: Attributable) => boolean {
  const { slug, alias } = project;
  const id = othersHave.id(project.id) ? undefined : project.id;
  const own = namesOf(slug, id, alias);
  const isTaken = othersHave.slug(alias) || othersHave.id(alias) || othersHave.alias(alias);
  const clear = namesOf(
    othersHave.id(slug) ? undefined : slug,
    othersHave.slug(id) ? undefined : id,
    isTaken ? undefined : alias,
  );

  return (record) => {
    const name = record.project ?? undefined;
    const givenId = record.project_id ?? undefined;
    if (givenId === undefined) return clear.has(name);
    return givenId === id && (name === undefined || own.has(name));
  };
}

function countNames(names: readonly Name[]): ReadonlyMap<Name, number> {
  const counts = new Map<Name, number>();
  for (const name of names) counts.set(name, countOf(counts, name) + 1);
  return counts;
}

function countOf(counts: ReadonlyMap<Name, number>, name: Name): number {
  return counts.get(name) ?? 0;
}

function namesOf(...names: readonly Name[]): ReadonlySet<unknown> {
  return new Set(names.filter((name) => name !== undefined));
}
