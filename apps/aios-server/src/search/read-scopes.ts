import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import { admitWhole, createTurns, protectedShare } from "./admission.ts";
import { type Amounts, type Ceiling, CeilingMet, type Omission, omissionOf } from "./omission.ts";
import { type ScopeSearch, sourceOf } from "./scope-search.ts";
import type { FileGroup } from "./walk.ts";

/** The scopes whose files were all read, and what the others met. */
export interface ReadScopes {
  readonly read: readonly ScopeSearch[];
  readonly omissions: readonly Omission[];
}

/** A scope on its way, with what it still wants to read and what it was seen to hold. */
interface Claimant {
  readonly search: ScopeSearch;
  readonly groups: readonly FileGroup[];
  readonly entries: number;
}

/**
 * Reads scopes within what is `left` of the budgets of one search, each of them whole or not at all (field §4.4). First
 * what stands in their folders, then what their records point to. `checkpoint` is called before each entry and each
 * file and may throw to stop.
 */
export function readScopes(
  searches: readonly ScopeSearch[],
  { left, checkpoint }: { left: Amounts; checkpoint: () => void },
): ReadScopes {
  const met = new Map<ScopeSearch, CeilingMet>();
  const budget = { ...left };

  /** Does one scope's part of a step; one that meets a ceiling is out from then on. */
  function each<C extends { readonly search: ScopeSearch }, R>(
    claimants: readonly C[],
    act: (claimant: C) => R,
  ): R[] {
    return claimants.flatMap((claimant) => {
      try {
        return [act(claimant)];
      } catch (error) {
        if (!(error instanceof CeilingMet)) throw error;
        met.set(claimant.search, error);
        return [];
      }
    });
  }

  function list(): Claimant[] {
    const turns = createTurns(budget.entries, searches.length);
    return each(
      searches.map((search) => ({ search })),
      ({ search }) => {
        const most = turns.next();
        let entries = 0;
        const countEntries = (more: number) => {
          checkpoint();
          entries += more;
          if (entries <= most) return;
          entries = most;
          throw new CeilingMet("entry_count_exceeded", { entries: most + 1 });
        };
        try {
          return { search, groups: search.list(countEntries), entries };
        } finally {
          turns.settle(entries);
          budget.entries -= entries;
        }
      },
    );
  }

  /** Lets in whom a budget has room for, and takes from it what they need. */
  function admit(
    claimants: readonly Claimant[],
    dimension: "files" | "entries",
    demandOf: (claimant: Claimant) => number,
  ): Claimant[] {
    const demands = claimants.map(demandOf);
    const admitted = admitWhole(
      demands.map((demand) => ({ demand })),
      budget[dimension],
    );
    const reason = dimension === "files" ? "file_count_exceeded" : "entry_count_exceeded";
    return claimants.filter((claimant, at) => {
      if (admitted[at]) budget[dimension] -= demands[at]!;
      else met.set(claimant.search, ceilingOf(reason, claimant, { [dimension]: demands[at]! }));
      return admitted[at];
    });
  }

  /**
   * Reads the files of scopes, each at once as far as its protected share of the bytes goes; of those that want more the
   * rest is only weighed, and read once it is known whether there is room for it.
   */
  function read(claimants: readonly Claimant[]): Claimant[] {
    const share = protectedShare(budget.bytes, claimants.length);
    const readings = each(claimants, (claimant) => ({
      search: claimant.search,
      claimant,
      ...readUpTo(share, claimant, checkpoint),
    }));
    const admitted = admitWhole(readings, budget.bytes);
    for (const [at, { claimant, demand, spent }] of readings.entries()) {
      budget.bytes -= admitted[at] ? demand : spent;
      if (!admitted[at])
        met.set(
          claimant.search,
          ceilingOf("aggregate_bytes_exceeded", claimant, { bytes: demand }),
        );
    }
    return each(
      readings.filter((_, at) => admitted[at]),
      ({ claimant, rest, demand, spent }) => {
        readUpTo(demand - spent, { ...claimant, groups: rest }, checkpoint, () => {
          // It was weighed a moment ago.
          throw new AiosError("SOURCE_CHANGED", { source: sourceOf(claimant.search.scope) });
        });
        return claimant;
      },
    );
  }

  const listed = read(admit(list(), "files", countFiles));
  const discovered = each(listed, ({ search }) => {
    const { entries, groups } = search.discover();
    return { search, entries, groups: presentOf(groups, search, checkpoint) };
  });
  const counted = admit(discovered, "entries", ({ entries }) => entries);
  const complete = read(admit(counted, "files", countFiles));
  return {
    read: complete.map(({ search }) => search),
    omissions: searches.flatMap((search) => {
      const ceiling = met.get(search);
      return ceiling ? [omissionOf(search.scope, ceiling)] : [];
    }),
  };
}

function ceilingOf(reason: Ceiling, { groups, entries }: Claimant, observed: Partial<Amounts>) {
  return new CeilingMet(reason, { files: countFiles({ groups }), entries, ...observed });
}

function countFiles({ groups }: Pick<Claimant, "groups">): number {
  return groups.reduce((sum, { names }) => sum + names.length, 0);
}

/** What was read, what all of it would come to, and the files that are left. */
interface Reading {
  readonly spent: number;
  readonly demand: number;
  readonly rest: readonly FileGroup[];
}

function readUpTo(
  most: number,
  { search, groups }: Pick<Claimant, "search" | "groups">,
  checkpoint: () => void,
  onMore: () => void = () => {},
): Reading {
  const source = sourceOf(search.scope);
  let spent = 0;
  const admit = (size: number, files: number) => {
    checkpoint();
    // Of several files, each was asked about when it was first read.
    if (files === 1) requireSize(size);
    if (spent + size > most) return false;
    spent += size;
    return true;
  };
  // All files of a scope are below one root.
  groups[0]?.tree.readAhead(groups, most, source);
  for (const [at, group] of groups.entries()) {
    const { tree, folder, names } = group;
    const files = tree.read(folder, names, source, admit);
    search.take({ folder, ...files });
    const { length } = files.rows;
    if (length === names.length) continue;
    onMore();
    const rest = [{ ...group, names: names.slice(length) }, ...groups.slice(at + 1)];
    return { spent, demand: spent + weigh(rest, source, checkpoint), rest };
  }
  return { spent, demand: spent, rest: [] };
}

function weigh(groups: readonly FileGroup[], source: string, checkpoint: () => void): number {
  let bytes = 0;
  for (const { tree, folder, names } of groups) {
    checkpoint();
    for (const size of tree.sizesOf(folder, names, source)) bytes += requireSize(size ?? 0);
  }
  return bytes;
}

/** The groups without the files that are not there. */
function presentOf(
  groups: readonly FileGroup[],
  { scope }: ScopeSearch,
  checkpoint: () => void,
): FileGroup[] {
  return groups.map(({ tree, folder, names }) => {
    checkpoint();
    const sizes = tree.sizesOf(folder, names, sourceOf(scope));
    return { tree, folder, names: names.filter((_, at) => sizes[at] !== undefined) };
  });
}

function requireSize(size: number): number {
  if (size > limits.maxSearchFileBytes)
    throw new CeilingMet("file_too_large", { files: 1, bytes: size });
  return size;
}
