import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ConfigError, revealSecret } from "@core/config";
import { type createProgram, describeFailure, EXIT } from "@core/terminal";
import type { GatewayConfig } from "./config/config.ts";
import { builtInConfig, type LoadedConfig, loadConfig } from "./config/load.ts";
import { statePath } from "./daemon/record.ts";
import { askStatus } from "./daemon/status.ts";
import { findingOf } from "./doctor/config-finding.ts";
import { describeFindings, type Finding, fault, fine, warning } from "./doctor/finding.ts";
import { checkHarnesses } from "./doctor/harness.ts";
import { checkServer } from "./doctor/server.ts";
import { checkSocket } from "./doctor/socket.ts";
import { chooseEndpoint } from "./harness/endpoint.ts";
import type { CommandSurroundings } from "./init-command.ts";
import { type Prepared, prepareGateway } from "./prepared.ts";
import { createOpen } from "./upstream/open.ts";

/** Adds `doctor`: what is wrong, and what to do about it. */
export function addDoctorCommand(
  program: ReturnType<typeof createProgram>,
  around: CommandSurroundings,
): void {
  program
    .command("doctor")
    .description("check the configuration, the token, servers, the daemon and the agents' files")
    .option("--config <file>", `the configuration (default: ${around.places.configFile})`)
    .option("--json", "print the result, or the failure, as one JSON object")
    .action(async ({ config }: { config?: string }) => {
      const findings = await examine(config, around);
      const ok = findings.every(({ level }) => level !== "error");
      around.report.result(describeFindings(findings), { ok, findings });
      if (!ok) around.report.exitCode = EXIT.failed;
    });
}

async function examine(named: string | undefined, around: CommandSurroundings): Promise<Finding[]> {
  const { places } = around;
  const file = resolve(named ?? places.configFile);
  const looked = { id: "config", subject: file };
  const daemon = await checkDaemon(statePath(places.stateFolder, "daemon", file));
  if (named === undefined && !existsSync(file)) {
    const builtIn = builtInConfig(places);
    const advice = "Write it: wraptool serve says how";
    const missing = warning(looked, "there is none, so the built-in default is served", advice);
    return [missing, ...(await examineLoaded(builtIn, around)), daemon];
  }
  const loading = readConfig(file, around);
  if (!loading.ok) return [...loading.problems.map((one) => findingOf(one, undefined)), daemon];
  const valid = fine(looked, "is valid");
  return [valid, ...(await examineLoaded(loading.loaded, around)), daemon];
}

function readConfig(file: string, { places }: CommandSurroundings) {
  try {
    return loadConfig(file, places);
  } catch (error) {
    if (error instanceof ConfigError) return { ok: false as const, problems: [error] };
    throw error;
  }
}

async function examineLoaded(
  loaded: LoadedConfig,
  around: CommandSurroundings,
): Promise<Finding[]> {
  const { config } = loaded;
  const prepared = await prepareGateway(loaded, around.environment);
  const faults = [...prepared.faults, ...prepared.serverFaults];
  const token = prepared.token && revealSecret(prepared.token);
  return [
    ...faults.map((one) => findingOf(one, config)),
    ...checkToken(prepared),
    ...(config.server.socket === undefined ? [] : [await checkSocket(config.server.socket)]),
    ...(await checkServers(prepared)),
    ...(await checkHarnesses({
      around: {
        ...{ home: around.places.home, folder: around.folder },
        ...{ environment: around.environment, platform: process.platform },
      },
      ledgerFile: join(around.places.stateFolder, "clients.json"),
      endpoint: chooseEndpoint(config.server, undefined),
      token,
    })),
  ];
}

function checkToken({ config, token }: Prepared): Finding[] {
  const { tokenFile } = config.server;
  if (tokenFile === undefined) {
    const reason = "no server.auth_token_file is set: whoever reaches the gateway may call";
    const remedy = "Set server.auth_token_file, and run wraptool token new";
    return [warning({ id: "token", subject: "server" }, reason, remedy)];
  }
  if (token === undefined) return [];
  return [fine({ id: "token", subject: tokenFile }, "only you may read it")];
}

/** Servers that are known to be unable to start are told already. */
function checkServers(prepared: Prepared): Promise<Finding[]> {
  const isBroken = ({ name }: { name: string }) =>
    prepared.environments.get(name)?.problem !== undefined ||
    prepared.serverFaults.some(({ field }) => field?.startsWith(`mcp_servers.${name}.`));
  const startable = prepared.config.servers.filter((server) => !isBroken(server));
  return Promise.all(startable.map((server) => tryServer(server, prepared)));
}

async function tryServer(
  server: GatewayConfig["servers"][number],
  { config, environments, scrubber }: Prepared,
): Promise<Finding> {
  const looked = { id: "server", subject: server.name };
  if (server.worksInSession) return fine(looked, "starts in each client's folder; not tried");
  const open = createOpen({
    server,
    variables: environments.get(server.name)?.variables ?? {},
    maxMessageBytes: config.mcp.maxMessageBytes,
    clientInfo: { name: "wraptool-doctor", version: "1" },
    scrubber,
    onRequest: () => {},
    onNotification: () => {},
  });
  const found = await checkServer(server.name, (events) => open(events, undefined));
  return { ...found, reason: scrubber.scrub(found.reason) };
}

async function checkDaemon(record: string): Promise<Finding> {
  const looked = { id: "daemon", subject: record };
  try {
    const status = await askStatus(record);
    if (!status.running) return warning(looked, "not running", "wraptool serve");
    return fine(looked, `runs as process ${status.pid}`);
  } catch (error) {
    const { message, hint } = describeFailure(error);
    return fault(looked, message, hint ?? "Stop it and start it again");
  }
}
