import {
  ConfigError,
  createScrubber,
  type NamedSecret,
  revealSecret,
  type Scrubber,
  type Secret,
} from "@core/config";
import type { Environment } from "@core/wire";
import { findOpenBinds } from "./auth/bind.ts";
import { readToken } from "./auth/token.ts";
import type { AllowRule, GatewayConfig, ServerConfig } from "./config/config.ts";
import { lookAtMode } from "./config/file-mode.ts";
import type { LoadedConfig } from "./config/load.ts";
import { type ArgumentCheck, ArgumentRuleError, compileArguments } from "./policy/arguments.ts";
import { type ArgumentChecks, findPolicyProblems } from "./policy/policy.ts";
import { findPromptProblems } from "./policy/prompt.ts";
import { findResourceProblems } from "./policy/resource.ts";
import { buildEnvironment, type ServerEnvironment } from "./upstream/environment.ts";
import { findServerProblems, type ServerProblem } from "./upstream/preflight.ts";

/** A configuration with everything read that it names, ready to be served. */
export interface Prepared {
  readonly config: GatewayConfig;
  readonly token: Secret | undefined;
  readonly environments: ReadonlyMap<string, ServerEnvironment>;
  readonly secrets: readonly NamedSecret[];
  readonly scrubber: Scrubber;
  /** The compiled rules for arguments. */
  readonly checks: ArgumentChecks;
  /** With any of these the gateway must not start. */
  readonly faults: readonly ConfigError[];
  /** Each of these keeps one server from starting, and nothing else. */
  readonly serverFaults: readonly ConfigError[];
  /** Why a server will hardly start, by its name. */
  readonly doubts: ReadonlyMap<string, string>;
  /** What works all the same, and is worth a word. */
  readonly warnings: readonly string[];
}

/** Reads what the configuration names, and checks what its schema cannot. */
export async function prepareGateway(
  loaded: LoadedConfig,
  environment: Environment,
): Promise<Prepared> {
  const { config } = loaded;
  const token = tryReadToken(config.server.tokenFile);
  const environments = new Map(
    config.servers.map((entry) => [entry.name, buildEnvironment(entry, environment)]),
  );
  const serverSecrets = [...environments.values()].flatMap(({ secrets }) => secrets);
  const { checks, faults: argumentFaults } = await compileChecks(loaded);
  const isRead = token !== undefined && !(token instanceof ConfigError);
  const secrets = isRead
    ? [{ name: "the gateway's token", value: revealSecret(token) }, ...serverSecrets]
    : serverSecrets;
  const scrubber = createScrubber(secrets);
  const problems = await findAllServerProblems(config.servers, environments);
  const mode = lookAtMode(loaded.file, config);
  return {
    config,
    token: isRead ? token : undefined,
    environments,
    secrets,
    scrubber,
    checks,
    faults: [
      ...mode.faults,
      ...(token instanceof ConfigError ? [token] : []),
      ...findFaults(loaded),
      ...argumentFaults,
    ],
    serverFaults: [
      ...[...environments.values()].flatMap(({ problem }) => problem ?? []),
      ...problems.map(({ server, key, reason }) =>
        loaded.fault(["mcp_servers", server, key], reason),
      ),
    ],
    doubts: new Map(problems.map(({ server, key, reason }) => [server, `its ${key} ${reason}`])),
    warnings: [...scrubber.warnings, ...mode.warnings],
  };
}

function tryReadToken(path: string | undefined): Secret | ConfigError | undefined {
  try {
    return path === undefined ? undefined : readToken(path);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

function findFaults({ config, fault }: LoadedConfig): ConfigError[] {
  const open = findOpenBinds(config.server).map((address) =>
    fault(
      ["server", "listen"],
      `${address} can be reached by others: set server.auth_token_file, or insecure_no_auth: true`,
    ),
  );
  const { servers } = config;
  const policy = [
    ...findPolicyProblems(servers),
    ...findResourceProblems(servers),
    ...findPromptProblems(servers),
  ].map(({ server, rule, key, reason }) =>
    fault(["mcp_servers", server, "allow", rule, key], reason),
  );
  return [...open, ...policy];
}

async function compileChecks({ config, fault }: LoadedConfig) {
  const checks = new Map<AllowRule, ArgumentCheck>();
  const faults: ConfigError[] = [];
  for (const { name, allow } of config.servers)
    for (const [index, rule] of allow.entries()) {
      if (rule.args === undefined) continue;
      try {
        checks.set(rule, await compileArguments(rule));
      } catch (error) {
        if (!(error instanceof ArgumentRuleError)) throw error;
        const path = ["mcp_servers", name, "allow", index, "args", error.argument];
        faults.push(fault(path, error.message));
      }
    }
  return { checks, faults };
}

async function findAllServerProblems(
  servers: readonly ServerConfig[],
  environments: ReadonlyMap<string, ServerEnvironment>,
): Promise<ServerProblem[]> {
  const variablesOf = ({ name }: ServerConfig) => environments.get(name)?.variables ?? {};
  const found = servers.map((entry) => findServerProblems(entry, variablesOf(entry)));
  return (await Promise.all(found)).flat();
}
