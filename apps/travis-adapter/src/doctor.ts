import { existsSync } from "node:fs";
import { findReferences } from "@core/config";
import { createAdapter } from "./adapter.ts";
import { type Configuration, loadConfiguration } from "./config/load.ts";
import { type Location, locationsOf } from "./config/locations.ts";
import type { ServerDefinition } from "./config/schema.ts";
import type { ErrorCode } from "./errors.ts";
import type { Adapter, AdapterOptions } from "./host.ts";
import { limits } from "./limits.ts";
import { createRegistry, type RegisteredServer, type Registry } from "./registry/registry.ts";

/** One thing about the configuration that a person should know. */
export interface Finding {
  /** An error makes a server, or all of them, unavailable; a warning leaves something out. */
  readonly level: "ok" | "notice" | "warning" | "error";
  /** The file or server that it is about. */
  readonly subject: string;
  readonly reason: string;
  /** What to do; absent where nothing is to be done. */
  readonly remedy?: string;
}

/**
 * Examines the files, trust, references and each server, which is started and ended again. Never throws for what it
 * finds. An aborted `signal` ends the starts at once.
 */
export async function examine(options: AdapterOptions, signal?: AbortSignal): Promise<Finding[]> {
  const { home, cwd, trustProject = false } = options;
  const configuration = loadConfiguration({ home, cwd, trustProject });
  const registry = createRegistry(configuration);
  const findings = findingsOfFiles(locationsOf(home, cwd), configuration, trustProject);
  const adapter = await createAdapter(options);
  try {
    const examineServer = (server: RegisteredServer) =>
      findingsOfServer(server, { registry, adapter, env: options.env, signal });
    return [...findings, ...(await eachWithin(registry.report.servers, examineServer))];
  } finally {
    await adapter[Symbol.asyncDispose]();
  }
}

function findingsOfFiles(
  locations: readonly Location[],
  { faults }: Configuration,
  trustProject: boolean,
): Finding[] {
  const present = locations.filter(({ path }) => existsSync(path));
  if (present.length === 0) return [nothingConfigured(locations)];
  return present.map(({ shown: subject, isProject }): Finding => {
    if (isProject && !trustProject) return untrusted(subject);
    const fault = faults.find(({ file }) => file === subject);
    if (fault === undefined) return { level: "ok", subject, reason: "is read" };
    const remedy = "Mend the file; until then no server at all is available.";
    return { level: "error", subject, reason: fault.message, remedy };
  });
}

function nothingConfigured(locations: readonly Location[]): Finding {
  const [lowest] = locations;
  return {
    level: "warning",
    subject: "configuration",
    reason: `none of ${locations.map(({ shown }) => shown).join(", ")} exists`,
    remedy: `Write ${lowest?.shown}, for example {"mcpServers":{"NAME":{"command":"COMMAND"}}}.`,
  };
}

function untrusted(subject: string): Finding {
  return {
    level: "warning",
    subject,
    reason: "was not opened, because the project is not trusted",
    remedy: "In Travis234: /trust, then /reload. Here: --trust-project.",
  };
}

interface Surroundings {
  readonly registry: Registry;
  readonly adapter: Adapter;
  readonly env: AdapterOptions["env"];
  readonly signal: AbortSignal | undefined;
}

async function findingsOfServer(
  { name: subject, origin, shadowed, problems }: RegisteredServer,
  { registry, adapter, env, signal }: Surroundings,
): Promise<Finding[]> {
  const hidden: Finding[] = shadowed.map((file) => ({
    level: "notice",
    subject,
    reason: `its entry in ${file} is hidden by that of ${origin}`,
  }));
  if (problems.length > 0) {
    const remedy = "Mend the entry; its name is not available until then.";
    return [
      ...hidden,
      ...problems.map((reason) => ({ level: "error", subject, reason, remedy }) as const),
    ];
  }
  const missing = missingVariables(registry.find(subject), env);
  if (missing.length > 0) return [...hidden, ...missing.map((text) => unresolved(subject, text))];
  return [...hidden, await startFinding(subject, adapter, signal)];
}

/** All of them at once; the adapter itself stops at the first. */
function missingVariables(definition: ServerDefinition, env: AdapterOptions["env"]): string[] {
  const isStdio = definition.kind === "stdio";
  const [place, values] = isStdio ? ["env", definition.env] : ["headers", definition.headers];
  return Object.entries(values).flatMap(([key, text]) =>
    findReferences(text)
      .filter(({ name }) => !env[name])
      .map(({ name }) => `${place}.${key} needs the variable ${name}, which is missing or empty`),
  );
}

function unresolved(subject: string, reason: string): Finding {
  const remedy = "Export the variable before the adapter starts, or remove the reference.";
  return { level: "error", subject, reason, remedy };
}

async function startFinding(
  subject: string,
  adapter: Adapter,
  signal: AbortSignal | undefined,
): Promise<Finding> {
  const request = { server: subject, operation: "reconnect" };
  const result = await adapter.execute(request, signal === undefined ? {} : { signal });
  if (!result.isError) return { level: "ok", subject, reason: "starts and answers" };
  const reason = result.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const remedy = REMEDIES[result.details.travis234Mcp.errorType as ErrorCode];
  return {
    level: "error",
    subject,
    reason: reason.join("\n"),
    ...(remedy === undefined ? {} : { remedy }),
  };
}

const REMEDIES: Partial<Record<ErrorCode, string>> = {
  OFFLINE: "Run it without --offline, or remove the server.",
  START_FAILED:
    "Install its command where the adapter runs or name it by its absolute path, and check args and cwd.",
  CONNECT_FAILED:
    "Check that url names a Streamable HTTP endpoint and that it can be reached from here.",
  CONNECT_TIMEOUT: "Give it more time with requestTimeoutMs, or install its package beforehand.",
  UNAUTHORIZED: "Add a header with a reference to a valid credential; OAuth is not supported.",
  PROTOCOL_ERROR: "Check that the command or url is that of an MCP server.",
};

/** A few at a time, because each is a process; findings in the order of the items. */
async function eachWithin<T>(
  items: readonly T[],
  examineOne: (item: T) => Promise<Finding[]>,
): Promise<Finding[]> {
  const found: Finding[][] = [];
  const left = items.entries();
  async function work(): Promise<void> {
    for (const [index, item] of left) found[index] = await examineOne(item);
  }
  await Promise.all(Array.from({ length: limits.maxExaminedAtOnce }, work));
  return found.flat();
}
