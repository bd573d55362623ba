import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { replaceFileSync } from "@core/bounds";

/**
 * Writes a file that is readable for its owner alone, and makes its folder. A reader sees the old file or the new one and
 * never half of one, whatever happens to disk or process meanwhile. Throws the system's error; then the old file stands.
 */
export function writeStateFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    writeFileSync(fresh, text, { flag: "wx", mode: 0o600 });
    replaceFileSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}
