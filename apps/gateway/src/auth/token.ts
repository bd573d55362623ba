import { randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { replaceFile } from "@core/bounds";
import {
  ConfigError,
  type ConfigErrorCode,
  createSecret,
  readSource,
  type Secret,
} from "@core/config";
import { MAX_TOKEN_FILE_BYTES, MIN_TOKEN_CHARACTERS, TOKEN_BYTES } from "../limits.ts";

const NEW = "run wraptool token new";
const REPLACE = "run wraptool token new --force";

/** Reads a file with one token that only its owner can read. Throws ConfigError with the remedy in its sentence. */
export function readToken(path: string): Secret {
  const refuse = (code: ConfigErrorCode, reason: string) =>
    new ConfigError(code, reason, { file: path });
  const token = readLine(path, refuse);
  if (!/^[\x21-\x7e]*$/.test(token))
    throw refuse("INVALID_VALUE", `must hold one word of visible ASCII; ${REPLACE}`);
  if (token.length < MIN_TOKEN_CHARACTERS)
    throw refuse(
      "INVALID_VALUE",
      `must hold at least ${MIN_TOKEN_CHARACTERS} characters; ${REPLACE}`,
    );
  return createSecret(token);
}

function readLine(path: string, refuse: (code: ConfigErrorCode, reason: string) => ConfigError) {
  try {
    const text = readSource(path, { ownerOnly: true, maxBytes: MAX_TOKEN_FILE_BYTES });
    return text.replace(/\r?\n$/, "");
  } catch (error) {
    if (error instanceof ConfigError && error.code === "NOT_FOUND")
      throw refuse("NOT_FOUND", `does not exist; ${NEW}`);
    throw error;
  }
}

/**
 * Writes a fresh random token, of mode 0600 from its first moment, and makes its folder. Returns false, and changes
 * nothing, if the file exists and `replace` was not asked for.
 */
export async function writeToken(path: string, { replace = false } = {}): Promise<boolean> {
  const line = `${randomBytes(TOKEN_BYTES).toString("base64url")}\n`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (!replace) return createFile(path, line);
  // Renamed over the old file, so that a reader sees one token or the other and never half of one.
  const fresh = `${path}.${randomBytes(8).toString("hex")}`;
  await createFile(fresh, line);
  try {
    await replaceFile(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
  return true;
}

/** Creates the file exclusively; false if something stands there, a dangling link included. */
async function createFile(path: string, content: string): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  try {
    await file.writeFile(content);
  } catch (error) {
    // Half a token, or none, on a full disk: it would stand in the way of the next attempt.
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return true;
}
