import { existsSync } from "node:fs";
import {
  type ConfigDocument,
  ConfigError,
  checkStrict,
  fieldPath,
  type Layer,
  type LayeredEntry,
  mergeLayers,
  parseJsonDocument,
  parseStrict,
  readSource,
} from "@core/config";
import { limits } from "../limits.ts";
import { type Location, locationsOf } from "./locations.ts";
import {
  entrySchema,
  fileSchema,
  nameProblem,
  type ServerDefinition,
  toDefinition,
} from "./schema.ts";

/** A server that can be used, or why its entry cannot. */
export type Entry =
  | { readonly definition: ServerDefinition }
  | { readonly problems: readonly ConfigError[] };

/** What the files say, once and for the whole session. */
export interface Configuration {
  readonly entries: ReadonlyMap<string, LayeredEntry<Entry>>;
  /** Why files cannot be used as a whole: with one of these, no server is available. */
  readonly faults: readonly ConfigError[];
  /** Project files that are there and were not opened, because the project is not trusted. */
  readonly ignoredProjectFiles: number;
}

/** Reads the four files (A5). What is wrong in them is in the value; nothing is thrown. */
export function loadConfiguration(options: {
  readonly home: string;
  readonly cwd: string;
  readonly trustProject: boolean;
}): Configuration {
  const locations = locationsOf(options.home, options.cwd);
  const isRead = ({ isProject }: Location) => options.trustProject || !isProject;
  const layers: Layer<Entry>[] = [];
  const faults: ConfigError[] = [];
  for (const location of locations.filter(isRead)) {
    try {
      const document = readLocation(location);
      if (document !== undefined) layers.push(readLayer(document, location.shown));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(error);
    }
  }
  const ignored = locations.filter((location) => !isRead(location) && existsSync(location.path));
  return {
    entries: faults.length === 0 ? mergeLayers(layers) : new Map(),
    faults,
    ignoredProjectFiles: ignored.length,
  };
}

/** Undefined for a file that is not there. */
function readLocation({ path, shown }: Location): ConfigDocument | undefined {
  const { maxConfigFileBytes: maxBytes, maxConfigDepth: maxDepth } = limits;
  try {
    const options = { file: shown, limits: { maxBytes, maxDepth }, faults: "keep" } as const;
    return parseJsonDocument(readSource(path, { maxBytes }), options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    if (isMissing(error)) return undefined;
    const { code, reason, line, column } = error;
    throw new ConfigError(code, reason, { file: shown, line, column }, { cause: error });
  }
}

/** A file in the place of one of its folders means that it is not there either. */
function isMissing({ code, cause }: ConfigError): boolean {
  return code === "NOT_FOUND" || (cause as NodeJS.ErrnoException | undefined)?.code === "ENOTDIR";
}

/** Throws the first fault of the file as a whole; what is wrong inside of an entry stays with the entry. */
function readLayer(document: ConfigDocument, origin: string): Layer<Entry> {
  const { mcpServers } = parseStrict(fileSchema, document, { faultDepth: 2 });
  const entries = Object.keys(mcpServers).map((name) => [name, readEntry(name, document)] as const);
  return { origin, entries: Object.fromEntries(entries) };
}

/** The entry `mcpServers.NAME` of a document. */
export function readEntry(name: string, document: ConfigDocument): Entry {
  const path = ["mcpServers", name];
  const reason = nameProblem(name);
  if (reason !== undefined) {
    const place = { file: document.file, field: fieldPath(path), ...document.keyPositionOf(path) };
    return { problems: [new ConfigError("INVALID_VALUE", reason, place)] };
  }
  const result = checkStrict(entrySchema, document, { at: path });
  if (!result.ok) return { problems: result.problems };
  return { definition: toDefinition(name, result.value) };
}
