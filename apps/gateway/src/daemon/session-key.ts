import { randomBytes } from "node:crypto";
import { ConfigError, readSource } from "@core/config";
import { writeStateFile } from "../config/state-file.ts";
import { MAX_TOKEN_FILE_BYTES, SESSION_KEY_BYTES } from "../limits.ts";

/** The form of the file. A newer one is not read, because nobody knows what it says. */
const FORMAT = 1;

/**
 * The key under which session ids are signed, made at the first start. Without a file that can be used it is one for this
 * start alone, so that sessions end with it; `onFault` is told.
 */
export function readSessionKey(path: string, onFault: (reason: string) => void): Buffer {
  const fresh = randomBytes(SESSION_KEY_BYTES);
  try {
    return read(path) ?? create(path, fresh);
  } catch (error) {
    const why = error instanceof ConfigError ? error.message : `${path}: cannot be written`;
    onFault(`sessions will not outlive this start: ${why}`);
    return fresh;
  }
}

function read(path: string): Buffer | undefined {
  let text: string;
  try {
    text = readSource(path, { ownerOnly: true, maxBytes: MAX_TOKEN_FILE_BYTES });
  } catch (error) {
    if (error instanceof ConfigError && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
  const key = parse(text);
  if (key?.length === SESSION_KEY_BYTES) return key;
  throw new ConfigError("INVALID_VALUE", "is no session key of this version; remove it", {
    file: path,
  });
}

function parse(text: string): Buffer | undefined {
  try {
    const { version, key } = JSON.parse(text);
    return version === FORMAT && typeof key === "string"
      ? Buffer.from(key, "base64url")
      : undefined;
  } catch {
    return undefined; // what is no JSON is no key
  }
}

function create(path: string, key: Buffer): Buffer {
  writeStateFile(path, `${JSON.stringify({ version: FORMAT, key: key.toString("base64url") })}\n`);
  return key;
}
