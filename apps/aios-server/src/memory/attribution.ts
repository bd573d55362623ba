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
 * fields disagree is out. A name that others have too counts only beside this project's own id.
 */
export function createAttribution(
  project: ProjectNames,
  all: readonly ProjectNames[],
): (record: Attributable) => boolean {
  const others = all.filter(({ slug }) => slug !== project.slug);
  const slugs = new Set<string | undefined>(others.map(({ slug }) => slug));
  const ids = new Set(others.map(({ id }) => id));
  const aliases = new Set(others.map(({ alias }) => alias));

  const { slug, alias } = project;
  const id = ids.has(project.id) ? undefined : project.id;
  const own = namesOf(slug, id, alias);
  const clear = namesOf(
    ids.has(slug) ? undefined : slug,
    slugs.has(id) ? undefined : id,
    slugs.has(alias) || ids.has(alias) || aliases.has(alias) ? undefined : alias,
  );

  return (record) => {
    const name = record.project ?? undefined;
    const givenId = record.project_id ?? undefined;
    if (givenId === undefined) return clear.has(name);
    return givenId === id && (name === undefined || own.has(name));
  };
}

function namesOf(...names: readonly (string | undefined)[]): ReadonlySet<unknown> {
  return new Set(names.filter((name) => name !== undefined));
}
