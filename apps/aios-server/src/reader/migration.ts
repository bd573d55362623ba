import { createMeter } from "@core/bounds";
import { ConfigError, parseDocument } from "@core/config";
import { AiosError, type ErrorCode } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Contained, ReadMeter } from "./contained.ts";
import { shelves } from "./shelves.ts";

/** Why the state could not be told (field §3.9). */
export type InspectionCode =
  | "MISSING_FILE"
  | "UNSAFE_FILE"
  | "CONFIG_TOO_LARGE"
  | "CONFIG_CHANGED"
  | "INVALID_CONFIG_ENCODING"
  | "INVALID_CONFIG"
  | "INVALID_SCHEMA"
  | "FUTURE_SCHEMA"
  | "UNSUPPORTED_SCHEMA"
  | "UNOWNED_METADATA"
  | "UNSAFE_METADATA"
  | "TOO_MANY_TRANSACTIONS"
  | "STATE_CHANGED"
  | "INSPECTION_FAILED";

/** Whether the folder's schema and this program fit together. Versions are `x.y.z`. */
export type MigrationState =
  | {
      readonly status: "current" | "schema_outdated" | "transaction_present";
      readonly folderVersion: string;
      readonly supportedVersion: string;
    }
  | { readonly status: "inspection_failed"; readonly code: InspectionCode };

/** The schema versions of the folder, oldest first; the last is what this program knows. */
const SCHEMA_CHAIN: readonly string[] = ["1.0.0", "1.1.0", "1.2.0"];
const SUPPORTED = SCHEMA_CHAIN.at(-1)!;
const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;
const PLAN_ID = /^migrate-\d+_\d+_\d+-to-\d+_\d+_\d+-[0-9a-f]{16}$/;
const OWNER_RECORD = '{\n  "schema": "dotaios.migrations.v1"\n}\n';
const MIGRATIONS = ".dotaios/migrations";

/** What one inspection may read, apart from the projection beside which it runs. */
export function createInspectionMeter(): ReadMeter {
  return createMeter({
    bytes: limits.maxConfigBytes + limits.maxMigrationOwnerBytes,
    files: limits.maxInspectionFiles,
    entries: limits.maxSourceEntries,
  });
}

/**
 * Tells the folder's migration state from aios.json and the transactions' names, and looks at both again before it
 * says so. Never throws: what goes wrong is a state of its own.
 */
export function inspectMigration(openReader: () => Contained): MigrationState {
  try {
    using reader = attempt(openReader, CONFIG_CODES);
    const folderVersion = readSchemaVersion(reader);
    const hasTransaction = countTransactions(reader) > 0;
    attempt(() => reader.verify(), { SOURCE_CHANGED: "STATE_CHANGED" });
    return stateOf(folderVersion, hasTransaction);
  } catch (error) {
    const code = error instanceof InspectionFailure ? error.code : "INSPECTION_FAILED";
    return { status: "inspection_failed", code };
  }
}

class InspectionFailure extends Error {
  readonly code: InspectionCode;

  constructor(code: InspectionCode) {
    super(code);
    this.code = code;
  }
}

function stateOf(folderVersion: string, hasTransaction: boolean): MigrationState {
  const age = SCHEMA_CHAIN.indexOf(folderVersion);
  if (age === -1)
    throw new InspectionFailure(
      isNewer(folderVersion, SUPPORTED) ? "FUTURE_SCHEMA" : "UNSUPPORTED_SCHEMA",
    );
  const isCurrent = folderVersion === SUPPORTED;
  const status = hasTransaction ? "transaction_present" : isCurrent ? "current" : "schema_outdated";
  return { status, folderVersion, supportedVersion: SUPPORTED };
}

function isNewer(version: string, than: string): boolean {
  const [parts, others] = [version, than].map((text) => text.split(".").map(Number));
  const at = parts!.findIndex((part, index) => part !== others![index]);
  return at !== -1 && parts![at]! > others![at]!;
}

function readSchemaVersion(reader: Contained): string {
  const file = attempt(() => reader.read("aios.json", shelves.config), CONFIG_CODES);
  if (file === undefined) throw new InspectionFailure("MISSING_FILE");
  const config = parseConfig(file.text);
  const version = config.schema_version;
  if (typeof version !== "string" || !VERSION.test(version))
    throw new InspectionFailure("INVALID_SCHEMA");
  return version;
}

function parseConfig(text: string): { readonly schema_version?: unknown } {
  try {
    const { value } = parseDocument(text, { file: "aios.json", format: "json" });
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  throw new InspectionFailure("INVALID_CONFIG");
}

/** How many migrations have left a transaction; whether its writer is alive, nobody can tell from here. */
function countTransactions(reader: Contained): number {
  const present = attempt(() => reader.list(MIGRATIONS, shelves.migrations), METADATA_CODES) ?? [];
  if (present.length === 0) return 0;
  const owner = attempt(() => reader.read(`${MIGRATIONS}/owner.json`, shelves.migrationOwner), {
    ...METADATA_CODES,
    SOURCE_LIMIT: "UNOWNED_METADATA",
    SOURCE_NOT_UTF8: "UNOWNED_METADATA",
  });
  if (owner?.text !== OWNER_RECORD) throw new InspectionFailure("UNOWNED_METADATA");

  const transactions = attempt(
    () => reader.list(`${MIGRATIONS}/transactions`, shelves.transactions),
    { ...METADATA_CODES, SOURCE_LIMIT: "TOO_MANY_TRANSACTIONS" },
  );
  if (transactions === undefined) throw new InspectionFailure("STATE_CHANGED");
  if (!transactions.every(({ name, kind }) => kind === "folder" && PLAN_ID.test(name)))
    throw new InspectionFailure("UNSAFE_METADATA");
  return transactions.length;
}

type Codes = { readonly [code in ErrorCode]?: InspectionCode };

const CONFIG_CODES: Codes = {
  FOLDER_NOT_AIOS: "MISSING_FILE",
  SOURCE_LINKED: "UNSAFE_FILE",
  SOURCE_NOT_REGULAR: "UNSAFE_FILE",
  SOURCE_LIMIT: "CONFIG_TOO_LARGE",
  SOURCE_CHANGED: "CONFIG_CHANGED",
  SOURCE_NOT_UTF8: "INVALID_CONFIG_ENCODING",
};

const METADATA_CODES: Codes = {
  SOURCE_LINKED: "UNSAFE_METADATA",
  SOURCE_NOT_REGULAR: "UNSAFE_METADATA",
  SOURCE_CHANGED: "STATE_CHANGED",
};

/** Reads and names a failure as the inspection names it. */
function attempt<T>(read: () => T, codes: Codes): T {
  try {
    return read();
  } catch (error) {
    const code = error instanceof AiosError ? codes[error.code] : undefined;
    throw code ? new InspectionFailure(code) : error;
  }
}
