import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createTempFolder, type TempFolder } from "test-fixtures";

/** An AIOS folder of one test's own, with a current aios.json and the given files. */
export function createAios(files: Readonly<Record<string, string | Buffer>> = {}): TempFolder {
  const folder = createTempFolder();
  writeFiles(folder.path, { "aios.json": '{"schema_version":"1.2.0"}', ...files });
  return folder;
}

/** Writes files by relative path, with the folders that they need. */
export function writeFiles(root: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** Makes a named pipe, at which a careless reader would wait for ever. */
export function makePipe(path: string): void {
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
}

/** Every name below a folder with what is behind it: a digest of the bytes, a link's target, or the kind. */
export function snapshotTree(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true }) as string[];
  const entries = names.sort().map((name) => {
    const status = lstatSync(join(root, name));
    if (status.isSymbolicLink()) return [name, `-> ${readlinkSync(join(root, name))}`];
    if (!status.isFile()) return [name, status.isDirectory() ? "folder" : "special"];
    return [
      name,
      createHash("sha256")
        .update(readFileSync(join(root, name)))
        .digest("hex"),
    ];
  });
  return Object.fromEntries(entries);
}

/**
 * Waits until the file system's clock, which is coarser than its stamps, has moved on from the file's last change: a
 * change made from now on cannot have the same stamp.
 */
export function waitForTick(path: string): void {
  const changed = statSync(path, { bigint: true }).ctimeNs;
  const probe = createTempFolder();
  try {
    const file = join(probe.path, "probe");
    do writeFileSync(file, "");
    while (statSync(file, { bigint: true }).ctimeNs <= changed);
  } finally {
    rmSync(probe.path, { recursive: true });
  }
}
