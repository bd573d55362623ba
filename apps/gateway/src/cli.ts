#!/usr/bin/env node
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { ConfigError } from "@core/config";
import {
  CommandError,
  createProgram,
  createReport,
  describeFailure,
  EXIT,
  runProgram,
} from "@core/terminal";
import { stringify } from "yaml";
import { writeToken } from "./auth/token.ts";
import { addBridgeCommand } from "./bridge-command.ts";
import { configJsonSchema } from "./config/json-schema.ts";
import { builtInConfig, type LoadedConfig, loadConfig } from "./config/load.ts";
import { maskConfig } from "./config/masked.ts";
import { findPlaces, type Places } from "./config/place.ts";
import { statePath } from "./daemon/record.ts";
import { askReload } from "./daemon/reload.ts";
import { askStatus, describeStatus } from "./daemon/status.ts";
import { runDaemon } from "./daemon-process.ts";
import { addDoctorCommand } from "./doctor-command.ts";
import { addInitCommand } from "./init-command.ts";
import { acceptPinned, listPinned } from "./pin-commands.ts";
import { type Prepared, prepareGateway } from "./prepared.ts";
import { addUpCommand } from "./up-command.ts";

declare const __VERSION__: string;

const identity = { name: "wraptool", version: __VERSION__ };
const places = findPlaces(process.env, homedir());
const report = createReport({
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
});
const program = createProgram(
  {
    ...identity,
    description:
      "A daemon that serves MCP to coding agents and lets through only what a policy names.",
    examples: [
      "wraptool serve",
      "wraptool serve --config gateway.yaml --check",
      "wraptool token new",
    ],
  },
  report,
);
const CONFIG = ["--config <file>", `the configuration (default: ${places.configFile})`] as const;
const JSON_FLAG = ["--json", "print the result, or the failure, as one JSON object"] as const;

interface ServeFlags {
  readonly config?: string;
  readonly check?: true;
  readonly printConfig?: true;
}

program
  .command("serve")
  .description("serve until SIGTERM or SIGINT")
  .option(...CONFIG)
  .option("--check", "check the configuration and what it names, and exit")
  .option("--print-config", "print the configuration in effect, secrets masked, and exit")
  .option(...JSON_FLAG)
  .action(async (flags: ServeFlags) => {
    process.umask(0o077);
    if (flags.check) return check(flags.config ?? places.configFile);
    const loaded = load(flags.config);
    if (flags.printConfig) return print(maskConfig(loaded.config));
    if (loaded.file === undefined) await welcome(places);
    await serve(await prepareGateway(loaded, process.env), flags.config);
  });

program
  .command("status")
  .description("tell whether the daemon of this configuration runs, and how it does")
  .option(...CONFIG)
  .option(...JSON_FLAG)
  .action(async ({ config }: { config?: string }) => {
    const status = await askStatus(recordOf(config));
    report.result(describeStatus(status), status);
    if (!status.running) report.exitCode = EXIT.failed;
  });

program
  .command("reload")
  .description("have the running daemon read its configuration again, and tell how that ended")
  .option(...CONFIG)
  .option(...JSON_FLAG)
  .action(async ({ config }: { config?: string }) => {
    const { pid } = await askReload(recordOf(config));
    report.result("Reloaded the configuration", { reloaded: true, pid });
  });

const pin = program.command("pin").description("the accepted definitions of pinned tools");
pin
  .command("list")
  .description("list the pinned tools, and which of them are hidden because they have changed")
  .option(...CONFIG)
  .option(...JSON_FLAG)
  .action(({ config }: { config?: string }) => listPinned(pinFileOf(config), report));
pin
  .command("accept <server[.tool]>")
  .description("accept the definition that was last seen of a tool, or of all tools of a server")
  .option(...CONFIG)
  .option(...JSON_FLAG)
  .action((name: string, { config }: { config?: string }) =>
    acceptPinned(pinFileOf(config), name, report),
  );

program
  .command("schema")
  .description("print the configuration's JSON Schema, for editors")
  .option(...CONFIG)
  .option(...JSON_FLAG)
  .action(() => {
    const schema = configJsonSchema();
    report.result(JSON.stringify(schema, undefined, 2), schema);
  });

const token = program.command("token").description("the token that clients send");
token
  .command("new")
  .description("write a fresh random token into the configured token file, and show nothing of it")
  .option(...CONFIG)
  .option("--force", "replace a token that exists")
  .option(...JSON_FLAG)
  .action(async ({ config, force }: { config?: string; force?: true }) => {
    const path = tokenPath(config);
    if (!(await writeToken(path, { replace: force === true })))
      throw new CommandError("TOKEN_EXISTS", `${path} exists already`, {
        hint: "Clients that use it stop working when it is replaced: wraptool token new --force",
      });
    report.result(`Wrote a new token to ${path}`, { path });
  });
token
  .command("path")
  .description("print the path of the token file")
  .option(...CONFIG)
  .option(...JSON_FLAG)
  .action(({ config }: { config?: string }) => {
    const path = tokenPath(config);
    report.result(path, { path });
  });

const around = {
  ...{ report, places, load, environment: process.env, folder: process.cwd() },
  argv: [process.execPath, process.argv[1] ?? ""] as const,
};
addInitCommand(program, around);
addUpCommand(program, around);
addBridgeCommand(program, around);
addDoctorCommand(program, around);

process.exitCode = await runProgram(program, process.argv.slice(2), report);

/** The named file, else the usual one, else the built-in default. */
function load(file: string | undefined): LoadedConfig {
  if (file === undefined && !existsSync(places.configFile)) return builtInConfig(places);
  const loading = loadConfig(resolve(file ?? places.configFile), places);
  if (!loading.ok) throw loading.problems[0];
  return loading.loaded;
}

function tokenPath(file: string | undefined): string {
  return load(file).config.server.tokenFile ?? places.tokenFile;
}

function print(config: object): void {
  report.result(stringify(config), config);
}

/** Prints every fault that can be found without starting anything. */
async function check(file: string): Promise<void> {
  const loading = loadConfig(resolve(file), places);
  const problems = loading.ok ? await findProblems(loading.loaded) : loading.problems;
  if (problems.length === 0) return report.result(`${file} is valid`, { ok: true, file });
  // JSON holds one failure, the first; a person gets them all.
  const [last, ...others] = report.json ? [...problems].slice(0, 1) : [...problems].reverse();
  for (const problem of others.reverse()) report.failure(describeFailure(problem));
  throw last;
}

async function findProblems(loaded: LoadedConfig): Promise<readonly ConfigError[]> {
  const { faults, serverFaults } = await prepareGateway(loaded, process.env);
  return [...faults, ...serverFaults];
}

/** Makes the built-in default usable and says how to go on from it. */
async function welcome({ configFile, tokenFile }: Places): Promise<void> {
  await writeToken(tokenFile);
  report.note(`No configuration at ${configFile}: serving the built-in default, which has no servers.
Next: write that file, for example
  server: {auth_token_file: ${tokenFile}}
  mcp_servers:
    files:
      command: npx
      args: [-y, "@modelcontextprotocol/server-filesystem", ${places.home}]
      allow: [{tool: read_text_file}, {tool: list_directory}]
then check it with wraptool serve --check, and start again. Clients send the token in ${tokenFile}.`);
}

async function serve(prepared: Prepared, file: string | undefined): Promise<void> {
  const [fault] = prepared.faults;
  if (fault !== undefined) throw fault;
  await runDaemon(prepared, {
    identity,
    report,
    files: {
      record: recordOf(file),
      pins: pinFileOf(file),
      sessionKey: stateOf(file, "sessions"),
    },
    prepare: () => prepareGateway(load(file), process.env),
  });
}

/** Where the daemon of this configuration leaves its record. */
function recordOf(file: string | undefined): string {
  return stateOf(file, "daemon");
}

function stateOf(file: string | undefined, what: string): string {
  return statePath(places.stateFolder, what, resolve(file ?? places.configFile));
}

/** Where the accepted definitions of this configuration's pinned tools are kept: its servers' names are its own. */
function pinFileOf(file: string | undefined): string {
  return recordOf(file).replace(/daemon-(?=[^/\\]*$)/, "pins-");
}
