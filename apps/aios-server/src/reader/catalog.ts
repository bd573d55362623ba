import { AiosError } from "../errors.ts";
import { type Attributable, createAttribution } from "../memory/attribution.ts";
import type { Contained, Shelf } from "./contained.ts";
import { type Project, parseProject } from "./project.ts";
import { shelves } from "./shelves.ts";

/** All projects of a folder. */
export interface Catalog {
  /** Those with a valid and unique identity, in the order of their slugs. */
  readonly projects: readonly Project[];
  /** The folders passed over: a malformed or shared identity, a folder name that is no slug, a link (S5). */
  readonly unusable: readonly string[];
  /** Which records are a project's, told from everybody who has a name here, the unusable included (S4). */
  attributionOf(project: Project): (record: Attributable) => boolean;
  /** The one project that a selector names exactly by slug, id or alias; throws `AiosError` otherwise. */
  select(selector: string): Project;
  /** The same by slug or id alone. */
  selectCanonical(selector: string): Project;
}

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** What stands in one folder under projects/: a project, one that nobody can use, or nothing. */
type Found = { slug: string; project: Project | undefined } | undefined;

/** Reads the README of every project. A folder without one is no project. */
export function readCatalog(reader: Contained, shelf: Shelf = shelves.projects): Catalog {
  const entries = reader.list("projects", shelf) ?? [];
  const found = entries.flatMap(({ name, kind }): NonNullable<Found>[] => {
    if (name.startsWith(".")) return [];
    if (kind === "link") return [{ slug: name, project: undefined }];
    const project = kind === "folder" ? readProject(reader, name) : undefined;
    return project ? [project] : [];
  });
  const shared = sharedIds(found);
  const isUsable = (project: Project) => project.id === undefined || !shared.has(project.id);
  const names = found.map(
    ({ slug, project }) => project ?? { slug, id: undefined, alias: undefined },
  );
  const projects = found.flatMap(({ project }) => (project && isUsable(project) ? [project] : []));
  return {
    projects,
    unusable: found.flatMap(({ slug, project }) => (project && isUsable(project) ? [] : [slug])),
    attributionOf: createAttribution(names),
    select: (selector) => selectAmong(found.filter((one) => answersTo(one, selector))),
    selectCanonical: (selector) =>
      selectAmong(
        found.filter(({ slug, project }) => slug === selector || project?.id === selector),
      ),
  };

  function selectAmong(matches: readonly NonNullable<Found>[]): Project {
    if (matches.length > 1) throw new AiosError("SELECTOR_AMBIGUOUS");
    const [match] = matches;
    if (match === undefined) throw new AiosError("SELECTOR_UNKNOWN");
    if (match.project === undefined || !isUsable(match.project))
      throw new AiosError("PROJECT_IDENTITY_INVALID");
    return match.project;
  }
}

function readProject(reader: Contained, slug: string): Found {
  const readme = readReadme(reader, slug);
  return readme && { slug, project: SLUG.test(slug) ? readme.project : undefined };
}

/** A README whose bytes are not UTF-8 is malformed like one whose YAML is; a linked or special one is a fault. */
function readReadme(reader: Contained, slug: string): { project: Project | undefined } | undefined {
  try {
    return reader.parse(`projects/${slug}/README.md`, shelves.readme, (text) => ({
      project: parseProject(slug, text),
    }));
  } catch (error) {
    if (error instanceof AiosError && error.code === "SOURCE_NOT_UTF8")
      return { project: undefined };
    throw error;
  }
}

function answersTo({ slug, project }: NonNullable<Found>, selector: string): boolean {
  return slug === selector || project?.id === selector || project?.alias === selector;
}

/** The ids that more than one project claims: none of them can be told from the other by it. */
function sharedIds(found: readonly NonNullable<Found>[]): Set<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { project } of found) {
    if (project?.id === undefined) continue;
    if (seen.has(project.id)) shared.add(project.id);
    seen.add(project.id);
  }
  return shared;
}
