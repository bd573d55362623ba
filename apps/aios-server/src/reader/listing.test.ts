import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createAios, makePipe } from "../../test/folder.ts";
import { nodeDisk } from "./disk.ts";
import { openFolders } from "./folders.ts";
import { listFolder, unpackListing } from "./listing.ts";
import { createShares } from "./shares.ts";

function listIn(root: string, path: string, maximum = 100) {
  const shares = createShares(maximum);
  using folders = openFolders(root, nodeDisk);
  const packed = listFolder(path, { folders, disk: nodeDisk, shares });
  return { listing: unpackListing(structuredClone(packed)), taken: shares.taken[0] };
}

describe("listFolder", () => {
  it("packs every kind of entry for another thread, in code unit order", async () => {
    await using folder = createAios({ "d/é.md": "", "d/b/c": "", "d/a b.md": "" });
    symlinkSync("a b.md", join(folder.path, "d/linked"));
    makePipe(join(folder.path, "d/pipe"));
    const { listing, taken } = listIn(folder.path, "d");
    expect(listing?.entries).toEqual([
      { name: "a b.md", kind: "file" },
      { name: "b", kind: "folder" },
      { name: "linked", kind: "link" },
      { name: "pipe", kind: "other" },
      { name: "é.md", kind: "file" },
    ]);
    expect(listing?.stamp.ino).toBe(nodeDisk.lstat(join(folder.path, "d"))?.ino);
    expect(taken).toBe(5);
    expect(listIn(folder.path, "d/b").listing?.entries).toHaveLength(1);
  });

  it("[S21] says nothing of a folder that is missing, linked, or over what may be listed", async () => {
    await using folder = createAios({ "d/a": "", "d/b": "" });
    symlinkSync("d", join(folder.path, "linked"));
    for (const path of ["none", "linked", "d/a", "linked/.."])
      expect(listIn(folder.path, path).listing).toBeUndefined();
    expect(listIn(folder.path, "d", 1)).toEqual({ listing: undefined, taken: 1 });
    expect(listIn(folder.path, "d", 2).listing?.entries).toHaveLength(2);
  });
});
