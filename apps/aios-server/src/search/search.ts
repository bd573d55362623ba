import { createMeter } from "@core/bounds";
import type { SearchRequest } from "../arguments/search.ts";
import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Access } from "../memory/gate.ts";
import { readCatalog } from "../reader/catalog.ts";
import { type Contained, openContained } from "../reader/contained.ts";
import type { Disk } from "../reader/disk.ts";
import type { Anchor } from "../reader/folders.ts";
import type { Row } from "../reader/rows.ts";
import { shelves } from "../reader/shelves.ts";
import { createTextCache, type TextCache } from "../reader/text-cache.ts";
import { openTree } from "../reader/tree.ts";
import { locateVault } from "../reader/vault.ts";
import { createMemorySearch } from "./memory.ts";
import { createNoteSearch } from "./notes.ts";
import { boundOmissions, type Omission } from "./omission.ts";
import { createPattern } from "./pattern.ts";
import { readScopes } from "./read-scopes.ts";
import { type Scope, selectScopes } from "./scope.ts";
import type { Result, ScopeSearch } from "./scope-search.ts";
import { createSessionSearch } from "./sessions.ts";
import { bytesOf, type SearchText, searchTextOf } from "./text.ts";

/** What a search found and what it left out. */
export interface Found {
  /** The results of each scope that was searched, the best first, at most as many as were asked for. */
  readonly lists: readonly (readonly Result[])[];
  readonly omissions: readonly Omission[];
  /** The project whose files and records were searched; null where all were. */
  readonly project: { readonly slug: string; readonly id: string | undefined } | null;
  /** Projects that nobody could read, where projects were looked at at all. */
  readonly skippedProjects: number;
  /** The absolute path of a vault that is outside the folder. */
  readonly vault: string | undefined;
}

/** The world of searches in one folder. */
export interface SearchPlace {
  /** Absolute paths of the AIOS folder and of the user's own, to which a leading `~` in aios.json leads. */
  readonly folder: string;
  readonly home: string;
  readonly disk: Disk;
  readonly cache: TextCache<SearchText>;
  readonly anchor?: Anchor;
}

interface Asked extends Pick<SearchRequest, "query" | "scope" | "limit"> {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly checkpoint: () => void;
}

/** Kept texts that turn out to be old make a search start anew, but not for ever. */
const MOST_STARTS = 3;

/** Makes the memory of what was read, which lives as long as the server. */
export function createSearchCache(): TextCache<SearchText> {
  return createTextCache({ maxBytes: limits.maxCachedBytes, bytesOf });
}

/**
 * Searches a folder at a moment. Nothing is released unless everything that was read is still as it was (S21).
 * `checkpoint` is called before each entry and file, and may throw to stop.
 */
export function searchFolder(access: Access, place: SearchPlace, asked: Asked): Found {
  for (let start = 0; start < MOST_STARTS; start++) {
    place.cache.startRound();
    const found = searchOnce(access, place, asked);
    if (found) return found;
  }
  throw new AiosError("SOURCE_CHANGED", { source: "the folder" });
}

/** Undefined where a kept text was old. */
function searchOnce(
  access: Access,
  { folder, home, disk, cache, anchor }: SearchPlace,
  { query, scope, limit, now, checkpoint }: Asked,
): Found | undefined {
  const meter = createMeter({
    bytes: limits.maxSearchBytes,
    files: limits.maxSearchFiles,
    entries: limits.maxSearchEntries,
  });
  const on = { disk, ...(anchor && { anchor }) };
  const open = (root: string) =>
    openTree(access, { root, cache, textOf: searchTextOf, now, ...on });
  using reader = openContained(access, { folder, meter, ...on });
  const own = access.project === null ? undefined : selectOwn(reader, access.project);
  const vault = locateVault(reader, { folder, home, disk });
  using tree = open(folder);
  using outside = vault.kind === "outside" ? open(vault.root) : undefined;

  const matching = { pattern: createPattern(query), now: now() };
  const notes = (scope: Scope, folder: string, from = tree) =>
    createNoteSearch({ scope, tree: from, folder, label: folder || scope }, matching);
  const records = { tree, ...matching, isOwn: own?.isOwn };
  const makeSearch = (scope: Scope): ScopeSearch[] => {
    if (scope === "sessions") return [createSessionSearch(records)];
    if (scope === "memory") return [createMemorySearch(records)];
    if (scope === "projects") return [notes(scope, `projects/${own?.project.slug}`)];
    if (scope !== "vault") return [notes(scope, scope)];
    if (vault.kind === "missing") return [];
    return [vault.kind === "inside" ? notes(scope, vault.path) : notes(scope, "", outside)];
  };

  const mode = own ? "project" : "shared";
  const left = {
    bytes: meter.left("bytes"),
    files: meter.left("files"),
    entries: meter.left("entries"),
  };
  const { read, omissions } = readScopes(selectScopes(scope, mode).flatMap(makeSearch), {
    left,
    checkpoint,
  });
  const lists = read.map((search) => search.results(limit));
  reader.verify();
  const isCurrent = [tree, outside].every((one) => one?.verify() ?? true);
  if (!isCurrent) return undefined;
  return {
    lists,
    omissions: boundOmissions(omissions),
    project: own?.project ?? null,
    skippedProjects: own?.skipped ?? 0,
    vault: vault.kind === "outside" ? vault.root : undefined,
  };
}

/** The project that a selector names, and which records are its own. */
function selectOwn(reader: Contained, selector: string) {
  const catalog = readCatalog(reader, shelves.searchedProjects);
  const project = catalog.selectCanonical(selector);
  return {
    project,
    isOwn: catalog.attributionOf(project) as (row: Row) => boolean,
    skipped: catalog.unusable.length,
  };
}
