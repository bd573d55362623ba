import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Access } from "../memory/gate.ts";
import { type Admit, countFiles, createBlockReader } from "./block.ts";
import { type Entry, fileStamp, guarded, namesOf } from "./contained.ts";
import { type Disk, nodeDisk } from "./disk.ts";
import { type Anchor, type Folder, openFolders } from "./folders.ts";
import {
  type Listing,
  listFolder,
  type PackedListing,
  readEntries,
  unpackListing,
} from "./listing.ts";
import type { ReadingGiven } from "./reading-actors.ts";
import { type Helper, inPieces, noHelper } from "./shared-work.ts";
import { createShares } from "./shares.ts";
import {
  type Look,
  type Looked,
  lookAgain,
  type ReadSlice,
  readSlice,
  type Slice,
} from "./slice.ts";
import { isSame, type Stamp } from "./stamp.ts";
import type { KeptFolder, TextCache } from "./text-cache.ts";
import type { Texts } from "./texts.ts";

/**
 * Reads many files below one root for one call, with the same care as {@link Contained} and fewer looks: a folder's own
 * listing tells what to open, a file is judged by its open descriptor, and what was read counts only once
 * {@link Tree.verify} and {@link Tree.verifyGuesses} have seen all of it again. Counting is the caller's.
 */
export interface Tree extends Disposable {
  /**
   * The entries of a folder, the root by "", in code unit order; undefined where it is missing. `count` is told how many
   * are taken before they are, and may throw to stop. As long as the folder is kept, the list is the same one.
   */
  list(
    path: string,
    source: string,
    count: (entries: number) => void,
  ): readonly Entry[] | undefined;
  /**
   * Lists a folder and those below it that `innerOf` names before anybody asks for them, if a helper can share in that: at
   * most so many entries. What is not listed ahead is listed, and fails, in its turn.
   */
  listAhead(path: string, maximum: number, innerOf: InnerOf): void;
  /**
   * Reads files before anybody asks for them, if a helper can share in that: at most so many bytes, and nothing of a file
   * with which anything is wrong. Whatever is not read ahead is read, and fails, in its turn. Throws SOURCE_CHANGED.
   */
  readAhead(groups: readonly FolderFiles[], maximum: number, source: string): void;
  /**
   * Reads files of one folder in turn, until `admit` refuses one: of that nothing is read. The folder and its files must
   * have been listed or looked at.
   */
  read(path: string, names: readonly string[], source: string, admit: Admit): ReadFiles;
  /** The sizes of files of one folder in bytes; undefined where one is missing. */
  sizesOf(path: string, names: readonly string[], source: string): readonly (number | undefined)[];
  /** Looks again at all that this call itself read and listed; throws SOURCE_CHANGED where it is otherwise by now. */
  verify(): void;
  /**
   * Whether everything is true that was taken from the cache unseen. What is not is forgotten, and whatever came of it,
   * a fault included, must be made anew.
   */
  verifyGuesses(): boolean;
}

/** The paths of the folders among the entries of a folder that are to be listed as well. */
type InnerOf = (path: string, entries: readonly Entry[]) => readonly string[];

/** Files of one folder, by its path from the root. */
interface FolderFiles {
  readonly folder: string;
  readonly names: readonly string[];
}

/** The files of a folder that were read, which are the first of those that were asked for. */
export interface ReadFiles {
  readonly texts: Texts;
  readonly rows: readonly number[];
}

interface Visit extends ReadFiles {
  readonly kept: KeptFolder;
  /** The absolute path of the folder. */
  readonly base: string;
  readonly source: string;
}

/** A folder takes as long to list as about so many files to look at. */
const FOLDER_FILES = 16;

/** Opens a root, which must be a folder, for one call that was granted access. `fold` makes of a text the form in which it is compared. */
export function openTree(
  access: Access,
  options: {
    root: string;
    cache: TextCache;
    fold: (text: string) => string;
    now: number;
    disk?: Disk;
    anchor?: Anchor;
    helper?: Helper | undefined;
    /** Called before each piece of work that can be shared; may throw to stop. */
    checkpoint?: () => void;
  },
): Tree {
  const { root, cache, fold, now, disk = nodeDisk, anchor, checkpoint = () => {} } = options;
  const { helper } = options;
  const folders = guarded("the folder", () => openFolders(root, disk, anchor));
  const visits: Visit[] = [];
  /** What this call uses of what is kept, by the path of the folder. */
  const used = new Map<string, KeptFolder>();
  /** From which row on the files of a folder were read by this call itself. */
  const firstOwn = new Map<Texts, number>();
  const listedAhead = new Map<string, Listing>();
  /** Listings that were taken from the cache unseen. */
  const guesses: { readonly kept: KeptFolder; readonly base: string; readonly stamp: Stamp }[] = [];
  /** A change after this one would be sure to show in a stamp, however coarse the disk's clock is. */
  const settledNs = BigInt(now - limits.minCachedAgeMs) * 1_000_000n;
  const blocks = createBlockReader(disk, fold);

  function within<R>(path: string, source: string, act: (folder: Folder | undefined) => R): R {
    if (path !== "") namesOf(path, source);
    return guarded(source, () => folders.within(path, source, act));
  }

  /** What is kept of a folder, the same for the whole call. What is added to it from the first time on is the call's own. */
  function keptOf(path: string): KeptFolder {
    const known = used.get(path);
    if (known) return known;
    const kept = cache.folder(`${root}/${path}`);
    used.set(path, kept);
    firstOwn.set(kept.texts, kept.texts.length);
    return kept;
  }

  function list(path: string, source: string, count: (entries: number) => void) {
    const kept = keptOf(path);
    if (kept.listing) {
      const { entries, stamp } = kept.listing;
      count(entries.length);
      guesses.push({ kept, base: baseOf(path), stamp });
      return entries;
    }
    const listing = listedAhead.get(path);
    if (listing) count(listing.entries.length);
    const { stamp, entries } = listing ?? listNow(path, source, count) ?? {};
    if (stamp && stamp.ctimeNs < settledNs) kept.keepListing(stamp, entries!);
    return entries;
  }

  function listNow(path: string, source: string, count: (entries: number) => void) {
    return within(
      path,
      source,
      (folder): Listing | undefined =>
        folder && { stamp: folder.stamp, entries: readEntries(disk, folder.at, count) },
    );
  }

  /** Level by level: only what is in the folders above tells what there is to list. */
  function listAhead(top: string, maximum: number, innerOf: InnerOf): void {
    if (helper === undefined) return;
    const shares = createShares(maximum);
    const given: ReadingGiven = { access, root, anchor: folders.anchor, shares };
    const act = (path: string) => {
      checkpoint();
      return listFolder(path, { folders, disk, shares });
    };
    for (let pieces = keptOf(top).listing ? [] : [top]; pieces.length > 0; ) {
      const size = FOLDER_FILES * pieces.length;
      const listed = helper.share<string, PackedListing>({
        actor: "list",
        given,
        pieces,
        size,
        act,
      });
      pieces = pieces.flatMap((path, at) => {
        const listing = unpackListing(listed[at]!);
        if (listing === undefined) return [];
        folders.adopt(path, listing.stamp);
        listedAhead.set(path, listing);
        return innerOf(path, listing.entries).filter((inner) => !keptOf(inner).listing);
      });
    }
  }

  function sizesOf(path: string, names: readonly string[], source: string) {
    return within(path, source, (folder) =>
      names.map((name) => {
        const status = folder && disk.lstat(`${folder.at}/${name}`);
        return status && Number(fileStamp(status, source).size);
      }),
    );
  }

  function readAhead(groups: readonly FolderFiles[], maximum: number, source: string): void {
    if (helper === undefined) return;
    const pieces = groups.flatMap(slicesOf);
    const size = pieces.reduce((sum, { names }) => sum + names.length, 0);
    const shares = createShares(maximum);
    const given: ReadingGiven = { access, root, anchor: folders.anchor, shares };
    const act = (slice: Slice) => {
      checkpoint();
      return readSlice(slice, { folders, blocks, shares });
    };
    const read = helper.share<Slice, ReadSlice>({ actor: "read", given, pieces, size, act });
    if (read.some(({ isChanged }) => isChanged)) throw new AiosError("SOURCE_CHANGED", { source });
    for (const [at, { path, names }] of pieces.entries()) {
      const kept = keptOf(path);
      let start = 0;
      for (const block of read[at]!.blocks) {
        kept.texts.add(names.slice(start, start + countFiles(block)), block);
        start += countFiles(block);
      }
      if (start > 0) kept.settle();
    }
  }

  /** The files of a folder of which nothing is known yet, in pieces. */
  function slicesOf({ folder: path, names }: FolderFiles): Slice[] {
    const { texts, listing } = keptOf(path);
    const stamp = folders.stampOf(path) ?? listing?.stamp;
    if (stamp === undefined || texts.length > 0) return [];
    return inPieces(names).map((names) => ({ path, stamp, names }));
  }

  function read(path: string, names: readonly string[], source: string, admit: Admit): ReadFiles {
    const kept = keptOf(path);
    const { texts } = kept;
    const visit = (rows: readonly number[]) => {
      visits.push({ kept, texts, base: baseOf(path), source, rows });
      return { texts, rows };
    };
    const known = texts.rowsOf(names);
    if (known && admit(known.size, names.length)) return visit(known.rows);
    const rows: number[] = [];
    const before = texts.length;
    try {
      within(path, source, (folder) => readFiles(folder, names, { texts, rows, source, admit }));
    } catch (error) {
      blocks.drop();
      throw error;
    }
    if (texts.length > before) kept.settle();
    return visit(rows);
  }

  /** Adds rows of the files that are admitted, up to the first that is not. */
  function readFiles(
    folder: Folder | undefined,
    names: readonly string[],
    to: { texts: Texts; rows: number[]; source: string; admit: Admit },
  ): void {
    const { texts, rows, source, admit } = to;
    const isFresh = texts.length === 0;
    let unread: string[] = [];
    const finishBlock = () => {
      if (unread.length > 0) texts.add(unread, blocks.finish(source));
      unread = [];
    };
    for (const name of names) {
      const known = isFresh ? undefined : texts.rowOf(name);
      if (known !== undefined) {
        if (!admit(texts.sizeOf(known), 1)) break;
        rows.push(known);
        continue;
      }
      if (folder === undefined) throw new AiosError("SOURCE_CHANGED", { source });
      if (!blocks.read(`${folder.at}/${name}`, source, admit)) break;
      rows.push(texts.length + unread.length);
      unread.push(name);
      if (blocks.isFull) finishBlock();
    }
    finishBlock();
  }

  function verify(): void {
    guarded("the folder", () => {
      const [changed] = changedVisits((row, texts) => isOwn(row, texts));
      if (changed) throw new AiosError("SOURCE_CHANGED", { source: changed.source });
      folders.verifyAll();
    });
  }

  function verifyGuesses(): boolean {
    return guarded("the folder", () => {
      const oldListings = guesses.filter(({ base, stamp }) => {
        // The root alone may be reached through a link.
        const status = base === root ? disk.stat(base) : disk.lstat(base);
        return status === undefined || !isSame(status, stamp);
      });
      for (const { kept } of oldListings) kept.forgetListing();
      const changed = changedVisits((row, texts) => !isOwn(row, texts));
      for (const { kept, texts, rows } of changed) {
        for (const row of rows) texts.forget(texts.nameOf(row));
        kept.settle();
      }
      return oldListings.length === 0 && changed.length === 0;
    });
  }

  const isOwn = (row: number, texts: Texts) => row >= firstOwn.get(texts)!;

  /** Looks again at files that were read, and gives those that are otherwise by now. */
  function changedVisits(isWanted: (row: number, texts: Texts) => boolean): Visit[] {
    const parts = visits.flatMap((visit) =>
      inPieces(visit.rows.filter((row) => isWanted(row, visit.texts))).map((rows) => ({
        ...visit,
        rows,
      })),
    );
    const looked = (helper ?? noHelper).share<Look, Looked>({
      actor: "look",
      given: undefined,
      size: parts.reduce((sum, { rows }) => sum + rows.length, 0),
      pieces: parts.map(({ base, texts, rows }) => ({
        base,
        names: rows.map(texts.nameOf),
        stamps: texts.stampsOf(rows),
      })),
      act: (look) => {
        checkpoint();
        return lookAgain(look, disk);
      },
    });
    return parts.flatMap((part, at) => {
      const rows = looked[at]!.changed.map((place) => part.rows[place]!);
      return rows.length > 0 ? [{ ...part, rows }] : [];
    });
  }

  /** What changed so lately that a further change might not show is not kept. */
  function forgetUnsettled(): void {
    for (const { texts, settle } of used.values()) {
      if (texts.forgetSince(firstOwn.get(texts)!, settledNs)) settle();
    }
  }

  const baseOf = (path: string) => (path === "" ? root : `${root}/${path}`);

  return {
    list,
    listAhead,
    readAhead,
    read,
    sizesOf,
    verify,
    verifyGuesses,
    [Symbol.dispose]() {
      forgetUnsettled();
      folders[Symbol.dispose]();
    },
  };
}
