import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { ClientEntry, ClientFileState } from "@core/clients";
import { type Environment, findCommand } from "@core/wire";
import type { Endpoint } from "../harness/endpoint.ts";
import { askGit } from "../harness/git.ts";
import { type Finding, fault, warning } from "./finding.ts";

/** An entry of ours, where it stands, and the gateway that it should lead to. */
export interface ExaminedEntry {
  readonly looked: Pick<Finding, "id" | "subject">;
  readonly entry: ClientEntry;
  readonly state: ClientFileState;
  readonly endpoint: Endpoint;
  /** The gateway's token; undefined where there is none. */
  readonly token: string | undefined;
  readonly environment: Environment;
  /** The command that writes the entry anew. */
  readonly again: string;
}

/** What is wrong with an entry: nothing, if it leads to this gateway with its token, and the token is nobody else's. */
export async function examineEntry(examined: ExaminedEntry): Promise<Finding[]> {
  const { looked, entry, endpoint, again } = examined;
  return [
    ...(leadsElsewhere(entry, endpoint)
      ? [warning(looked, "the entry leads to another address", again)]
      : []),
    ...(await examineProgram(examined)),
    ...examineToken(examined),
    ...(literalOf(entry) === undefined ? [] : await examineSecrecy(examined)),
  ];
}

function leadsElsewhere(entry: ClientEntry, endpoint: Endpoint): boolean {
  const { url, socket } = entry.kind === "stdio" ? bridgedTo(entry.args) : { url: entry.url };
  if (endpoint.kind === "socket") return socket !== undefined && socket !== endpoint.path;
  return url !== undefined && new URL(url).origin !== endpoint.url.origin;
}

/** Where a bridge leads, by its arguments. */
function bridgedTo(args: readonly string[]): {
  url?: string | undefined;
  socket?: string | undefined;
} {
  const after = (flag: string) => args[args.indexOf(flag) + 1];
  if (args.includes("--socket")) return { socket: after("--socket") };
  return args.includes("--url") ? { url: after("--url") } : {};
}

/** A bridge that was written by another installation may start what is no longer there. */
async function examineProgram({ looked, entry, environment, again }: ExaminedEntry) {
  if (entry.kind !== "stdio") return [];
  const [script = ""] = entry.args;
  const isThere = await findCommand(entry.command, { environment });
  if (isThere && (!isAbsolute(script) || existsSync(script))) return [];
  return [fault(looked, "the program that the entry starts is not there", again)];
}

function examineToken({ looked, entry, token, again }: ExaminedEntry): Finding[] {
  if (token === undefined || entry.kind === "stdio") return [];
  if (entry.token === undefined)
    return [fault(looked, "the entry has no token, and the gateway asks for one", again)];
  const literal = literalOf(entry);
  if (literal === undefined || literal === token) return [];
  return [fault(looked, "the entry holds another token than the gateway's", again)];
}

function literalOf(entry: ClientEntry): string | undefined {
  const token = entry.kind === "stdio" ? undefined : entry.token;
  return token !== undefined && "literal" in token ? token.literal : undefined;
}

async function examineSecrecy({ looked, state, environment }: ExaminedEntry): Promise<Finding[]> {
  const { target, stamp } = state;
  const isOpen = process.platform !== "win32" && ((stamp?.mode ?? 0) & 0o077) !== 0;
  const { kind } = await askGit(target, environment);
  const anew = "wraptool init --token reference, and a new token";
  return [
    ...(isOpen ? [warning(looked, "others may read the token in it", `chmod 600 ${target}`)] : []),
    ...(kind === "tracked"
      ? [fault(looked, "git tracks it, and the token stands in it", anew)]
      : []),
    ...(kind === "untracked"
      ? [warning(looked, "git may add it, and the token stands in it", "Ignore the file in git")]
      : []),
  ];
}
