import type { BigIntStats } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { ConfigError, parseDocument } from "@core/config";
import { AiosError } from "../errors.ts";
import { type Contained, guarded } from "./contained.ts";
import type { Disk } from "./disk.ts";
import { shelves } from "./shelves.ts";

/** Where the vault is: below the AIOS folder, or in a root of its own that aios.json names, or nowhere. */
export type Vault =
  | { readonly kind: "inside"; readonly path: string }
  | { readonly kind: "outside"; readonly root: string }
  | { readonly kind: "missing" };

const SOURCE = "the vault";
const DEFAULT_PATH = "vault";

/**
 * Finds the vault that aios.json authorises: `vault_path`, where a leading `~` is the home folder and a relative path
 * starts at the AIOS folder, else `vault`. Throws CONFIG_INVALID, and VAULT_UNAUTHORISED for a vault that would let a
 * search into everything else: the AIOS folder itself, or one above it.
 */
export function locateVault(
  reader: Contained,
  { folder, home, disk }: { folder: string; home: string; disk: Disk },
): Vault {
  const given = readVaultPath(reader);
  if (given === undefined) return { kind: "inside", path: DEFAULT_PATH };
  const root = resolve(
    folder,
    given.replace(/^~(?=$|[/\\])/, (tilde) => home || tilde),
  );
  const inner = relative(folder, root);
  if (inner === "") throw new AiosError("VAULT_UNAUTHORISED");
  const isInside = !isAbsolute(inner) && inner.split(sep)[0] !== "..";
  if (isInside) return { kind: "inside", path: inner.split(sep).join("/") };

  return guarded(SOURCE, () => {
    const status = disk.stat(root);
    if (status === undefined) return { kind: "missing" };
    if (!status.isDirectory()) throw new AiosError("SOURCE_NOT_REGULAR", { source: SOURCE });
    if (isAtOrAbove(status, folder, disk)) throw new AiosError("VAULT_UNAUTHORISED");
    return { kind: "outside", root };
  });
}

function readVaultPath(reader: Contained): string | undefined {
  const config = parseConfig(reader.read("aios.json", shelves.config)?.text ?? "");
  const path = config.vault_path ?? undefined;
  if (path !== undefined && typeof path !== "string") throw new AiosError("CONFIG_INVALID");
  if (path?.includes("\0")) throw new AiosError("CONFIG_INVALID");
  return path === "" ? undefined : path;
}

function parseConfig(text: string): { readonly vault_path?: unknown } {
  try {
    const { value } = parseDocument(text, { file: "aios.json", format: "json" });
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  throw new AiosError("CONFIG_INVALID");
}

/** Told by what the folders are and not by how they are written: links and the case of letters change nothing. */
function isAtOrAbove(vault: BigIntStats, folder: string, disk: Disk): boolean {
  let below: BigIntStats | undefined;
  for (let path = folder; ; path += "/..") {
    const at = disk.stat(path);
    // The root is its own parent.
    if (at === undefined || (below && isOne(at, below))) return false;
    if (isOne(at, vault)) return true;
    below = at;
  }
}

function isOne(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}
