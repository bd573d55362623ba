import type { Configuration, Entry } from "../config/load.ts";
import type { ServerDefinition } from "../config/schema.ts";
import { AdapterError, quote } from "../errors.ts";
import { limits } from "../limits.ts";

/** The servers of a session by name. */
export interface Registry {
  /** All configured names in code-point order, those of bad entries included. */
  readonly names: readonly string[];
  /** The server of that name. Throws {@link AdapterError} CONFIG_INVALID, SERVER_UNKNOWN or SERVER_MISCONFIGURED. */
  find(name: string): ServerDefinition;
  /** What status tells of the configuration. */
  readonly report: RegistryReport;
}

export interface RegistryReport {
  readonly servers: readonly RegisteredServer[];
  /** Why no server is available; empty if they are. */
  readonly faults: readonly string[];
  readonly ignoredProjectFiles: number;
}

export interface RegisteredServer {
  readonly name: string;
  /** The file that it comes from, or "its package". */
  readonly origin: string;
  /** Files whose entries of this name it hides. */
  readonly shadowed: readonly string[];
  readonly automaticReconnect: boolean;
  readonly maxReconnectAttempts: number;
  /** What is wrong with the entry; empty for one that can be used. */
  readonly problems: readonly string[];
}

/** Makes the table of a session: the files' entries, and over them those of packages (A9). */
export function createRegistry(
  configuration: Configuration,
  packaged: ReadonlyMap<string, Entry> = new Map(),
): Registry {
  const { faults, ignoredProjectFiles } = configuration;
  const entries = faults.length > 0 ? configuration.entries : overlay(configuration, packaged);
  const names = [...entries.keys()].sort();
  const report: RegistryReport = {
    servers: names.map((name) => describe(name, entries)),
    faults: faults.map(({ message }) => message),
    ignoredProjectFiles,
  };

  function find(name: string): ServerDefinition {
    const [fault] = report.faults;
    if (fault !== undefined) throw new AdapterError("CONFIG_INVALID", fault);
    const entry = entries.get(name)?.value;
    if (entry === undefined) throw unknownServer(name, names);
    if ("definition" in entry) return entry.definition;
    throw new AdapterError("SERVER_MISCONFIGURED", `${entry.problems[0]?.message}`);
  }

  return { names, find, report };
}

/** A packaged server hides an entry of its name; the entry stays as it is, and status tells of it. */
function overlay(
  { entries }: Configuration,
  packaged: ReadonlyMap<string, Entry>,
): Configuration["entries"] {
  const all = new Map(entries);
  for (const [name, value] of packaged) {
    const hidden = entries.get(name);
    const shadowed = hidden === undefined ? [] : [...hidden.shadowed, hidden.origin];
    all.set(name, { value, origin: "its package", shadowed });
  }
  return all;
}

function describe(name: string, entries: Configuration["entries"]): RegisteredServer {
  const { value, origin, shadowed } = entries.get(name) as NonNullable<
    ReturnType<Configuration["entries"]["get"]>
  >;
  const policy = "definition" in value ? value.definition.reconnect : undefined;
  return {
    name,
    origin,
    shadowed,
    automaticReconnect: policy?.automatic ?? false,
    maxReconnectAttempts: policy?.maxAttempts ?? 0,
    problems: "problems" in value ? value.problems.map(({ message }) => message) : [],
  };
}

function unknownServer(name: string, names: readonly string[]): AdapterError {
  const listed = names.slice(0, limits.maxNamesListed).map(quote).join(", ");
  const more = names.length - limits.maxNamesListed;
  const known =
    names.length === 0
      ? "no server is configured"
      : `configured are ${listed}${more > 0 ? ` and ${more} more` : ""}`;
  const [first] = names;
  const example = JSON.stringify(first === undefined ? {} : { server: first });
  return new AdapterError("SERVER_UNKNOWN", `No server is named ${quote(name)}; ${known}`, {
    example,
  });
}
