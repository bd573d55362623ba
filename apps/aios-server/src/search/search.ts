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
import type { Helper } from "../reader/shared-work.ts";
import { shelves } from "../reader/shelves.ts";
import { createTextCache, type TextCache } from "../reader/text-cache.ts";
import { openTree, type Tree } from "../reader/tree.ts";
import { locateVault, type Vault } from "../reader/vault.ts";
import { createMemorySearch } from "./memory.ts";
import { createNoteSearch } from "./notes.ts";
import { type Amounts, boundOmissions, type Omission } from "./omission.ts";
import { createPattern } from "./pattern.ts";
import { readScopes } from "./read-scopes.ts";
import { type Scope, selectScopes } from "./scope.ts";
import type { Result, ScopeSearch } from "./scope-search.ts";
import { createSessionSearch } from "./sessions.ts";
import { foldText } from "./word.ts";

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
  readonly cache: TextCache;
  readonly anchor?: Anchor;
  /** A second thread that shares in the reading. */
  readonly helper?: Helper | undefined;
}

interface Asked extends Pick<SearchRequest, "query" | "scope" | "limit"> {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly checkpoint: () => void;
}

/** Kept texts that turn out to be old make a search start anew, but not for ever. */
const MOST_STARTS = 3;

/** Makes the memory of what was read, which lives as long as the server. */
export function createSearchCache(): TextCache {
  return createTextCache(limits.maxCachedBytes);
}

/**
 * Searches a folder at a moment. Nothing is released unless everything that was read is still as it was (S21).
 * `checkpoint` is called before each entry and file, or each piece of them that a helper shares in, and may throw to stop.
 */
export function searchFolder(access: Access, place: SearchPlace, asked: Asked): Found {
  for (let start = 0; start < MOST_STARTS; start++) {
    place.cache.startRound();
    const found = searchOnce(access, place, asked);
    if (found) return found;
  }
  throw new AiosError("SOURCE_CHANGED", { source: "the folder" });
}

/** Undefined where something kept was old. */
function searchOnce(access: Access, place: SearchPlace, asked: Asked): Found | undefined {
  const { folder, home, disk, cache, anchor, helper } = place;
  const { now, checkpoint } = asked;
  const meter = createMeter({
    bytes: limits.maxSearchBytes,
    files: limits.maxSearchFiles,
    entries: limits.maxSearchEntries,
  });
  const on = { disk, ...(anchor && { anchor }) };
  const open = (root: string) =>
    openTree(access, { root, cache, fold: foldText, now, checkpoint, helper, ...on });
  using reader = openContained(access, { folder, meter, ...on });
  const own = access.project === null ? undefined : selectOwn(reader, access.project);
  const vault = locateVault(reader, { folder, home, disk });
  using tree = open(folder);
  using outside = vault.kind === "outside" ? open(vault.root) : undefined;

  const searchTrees = () => {
    const found = searchIn({ tree, outside, vault, own }, asked, {
      bytes: meter.left("bytes"),
      files: meter.left("files"),
      entries: meter.left("entries"),
    });
    for (const source of [reader, tree, outside]) source?.verify();
    return found;
  };
  const areGuessesTrue = () =>
    [tree, outside].map((one) => one?.verifyGuesses() ?? true).every(Boolean);
  try {
    const found = searchTrees();
    return areGuessesTrue() ? found : undefined;
  } catch (error) {
    // What was kept may be to blame, and is forgotten now.
    if (error instanceof AiosError && !areGuessesTrue()) return undefined;
    throw error;
  }
}

type Own = ReturnType<typeof selectOwn>;

function searchIn(
  on: { tree: Tree; outside: Tree | undefined; vault: Vault; own: Own | undefined },
  { query, scope, limit, now, checkpoint }: Asked,
  left: Amounts,
): Found {
  const { tree, outside = tree, vault, own } = on;
  const matching = { pattern: createPattern(query), now };
  const records = { tree, ...matching, isOwn: own?.isOwn };
  const notes = (scope: Scope, folder: string = scope, label = folder, from = tree) =>
    createNoteSearch({ scope, tree: from, folder, label }, matching);

  const searchOf = (scope: Scope): ScopeSearch[] => {
    if (scope === "sessions") return [createSessionSearch(records)];
    if (scope === "memory") return [createMemorySearch(records)];
    if (scope === "projects") return [notes(scope, `projects/${own?.project.slug}`)];
    if (scope !== "vault") return [notes(scope)];
    if (vault.kind === "missing") return [];
    return [notes(scope, vault.kind === "inside" ? vault.path : "", scope, outside)];
  };
  const scopes = selectScopes(scope, own ? "project" : "shared");
  const { read, omissions } = readScopes(scopes.flatMap(searchOf), { left, checkpoint });
  return {
    lists: read.map((search) => search.results(limit)),
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
