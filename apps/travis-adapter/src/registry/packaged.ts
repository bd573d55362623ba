import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { ConfigError, parseJsonDocument } from "@core/config";
import { type Entry, readEntry } from "../config/load.ts";
import { nameProblem } from "../config/schema.ts";
import { AdapterError, quote } from "../errors.ts";
import type { PackagedServer } from "../host.ts";

/** The servers that trusted packages ship (A9). They are added and never changed or taken away. */
export interface PackagedServers {
  /**
   * Adds a server; the same one again changes nothing. Throws an {@link AdapterError} SERVER_MISCONFIGURED for one that
   * breaks a rule or differs from another of its name.
   */
  register(server: PackagedServer): void;
  /** As `register`, but throws nothing: a broken rule is kept for status to tell of, and the first of a name stays. */
  admit(server: PackagedServer): void;
  /** Those that are there now; later ones do not show in it. */
  entries(): ReadonlyMap<string, Entry>;
}

export function createPackagedServers(): PackagedServers {
  const known = new Map<string, { readonly descriptor: string; readonly entry: Entry }>();

  function add(server: PackagedServer, entry: Entry): void {
    const descriptor = JSON.stringify([entry, server.root]);
    const present = known.get(server.name);
    if (present === undefined) known.set(server.name, { descriptor, entry });
    else if (present.descriptor !== descriptor)
      throw refusal(server, "another package has registered a different server of this name");
  }

  return {
    register(server) {
      const entry = readPackagedServer(server);
      if ("definition" in entry) add(server, entry);
      else throw refusal(server, entry.problems[0]?.message ?? "it is not valid");
    },
    admit(server) {
      if (!known.has(server.name)) add(server, readPackagedServer(server));
    },
    entries: () => new Map([...known].map(([name, { entry }]) => [name, entry])),
  };
}

function refusal({ name }: PackagedServer, reason: string): AdapterError {
  return new AdapterError("SERVER_MISCONFIGURED", `The packaged server ${quote(name)}: ${reason}`);
}

/** The descriptor as an entry whose command has no links left, so that nothing can be put in its place later. */
function readPackagedServer(server: PackagedServer): Entry {
  const problem = nameProblem(server.name) ?? placeProblem(server);
  if (problem !== undefined) return { problems: [new ConfigError("INVALID_VALUE", problem)] };
  const { name, args = [], env = {} } = server;
  const command = realpathSync(server.command);
  const text = JSON.stringify({ mcpServers: { [name]: { command, args, env } } });
  const entry = readEntry(name, parseJsonDocument(text, { file: "package" }));
  return "definition" in entry ? entry : { problems: entry.problems.map(withoutPlace) };
}

function placeProblem({ root, command }: PackagedServer): string | undefined {
  if (!isAbsolute(root)) return "root must be an absolute path";
  if (!isAbsolute(command)) return "command must be an absolute path";
  try {
    const path = realpathSync(command);
    const inside = relative(realpathSync(root), path);
    if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
      return "command must lie inside root once links are resolved";
    if (!statSync(path).isFile()) return "command must be a file";
    accessSync(path, constants.X_OK);
    return undefined;
  } catch {
    return "command must be an existing file that may be executed"; // the system's words hold paths
  }
}

/** A descriptor is no file: lines and columns would mislead. */
function withoutPlace({ code, reason, field }: ConfigError): ConfigError {
  return new ConfigError(code, reason, { field });
}
