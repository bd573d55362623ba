import { realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { isServerName } from "@core/clients";
import { CommandError, type createProgram, EXIT, type Report } from "@core/terminal";
import type { Environment } from "@core/wire";
import { createCwdCheck } from "./auth/cwd.ts";
import { readToken } from "./auth/token.ts";
import type { LoadedConfig } from "./config/load.ts";
import type { Places } from "./config/place.ts";
import { chooseEndpoint, requireFixedPort } from "./harness/endpoint.ts";
import { connectHarnesses, type Done, type Outcome } from "./harness/init.ts";
import { DEFAULT_NAME, type Setting, type TokenForm } from "./harness/setting.ts";

/** What the commands around the daemon run in. */
export interface CommandSurroundings {
  readonly report: Report;
  readonly places: Places;
  readonly environment: Environment;
  readonly folder: string;
  /** The words that started this program: node and the script. */
  readonly argv: readonly [string, string];
  load(file: string | undefined): LoadedConfig;
}

interface InitFlags {
  readonly harness: string;
  readonly url?: string;
  readonly global?: true;
  readonly name: string;
  readonly token?: string;
  readonly dryRun?: true;
  readonly remove?: true;
  readonly force?: true;
  readonly config?: string;
}

/** Adds `init`: one command that connects coding agents, and takes their entries back. */
export function addInitCommand(
  program: ReturnType<typeof createProgram>,
  around: CommandSurroundings,
): void {
  program
    .command("init")
    .description("write the entry of this gateway into the files of coding agents")
    .requiredOption("--harness <names>", "whose files, separated by commas: claude,cursor,…")
    .option("--url <url>", "the gateway's URL (default: where the configuration listens)")
    .option("--global", "the file for all projects instead of this folder's")
    .option("--name <name>", "the entry's name", DEFAULT_NAME)
    .option("--token <form>", "literal, or reference: the name of a variable that holds it")
    .option("--dry-run", "print what would change, the token masked, and write nothing")
    .option("--remove", "take the entries back")
    .option("--force", "write the token even into a file that git tracks")
    .option("--config <file>", `the configuration (default: ${around.places.configFile})`)
    .option("--json", "print the result, or the failure, as one JSON object")
    .action((flags: InitFlags) => init(flags, around));
}

async function init(flags: InitFlags, around: CommandSurroundings): Promise<void> {
  const { report } = around;
  const { dryRun = false, remove = false } = flags;
  const setting = toSetting(flags, around);
  const names = flags.harness.split(",").map((name) => name.trim().toLowerCase());
  const harnesses = [...new Set(names)].filter((name) => name !== "");
  const outcomes = await connectHarnesses(harnesses, setting, { remove, dryRun, now: new Date() });
  const ok = outcomes.every((outcome) => !("error" in outcome));
  const warnings = remove ? [] : await warnAboutFolder(flags, around);
  tell(outcomes, { ok, dryRun, warnings }, report);
  if (!ok) report.exitCode = EXIT.failed;
}

function toSetting(flags: InitFlags, around: CommandSurroundings): Setting {
  const { places, environment, folder, argv } = around;
  if (!isServerName(flags.name))
    throw new CommandError("INVALID_NAME", "--name must be a name that all clients take", {
      hint: "A lower-case letter, then up to 15 letters, digits or hyphens",
    });
  const { server } = around.load(flags.config).config;
  const { tokenFile } = server;
  const endpoint = chooseEndpoint(server, flags.url);
  if (!flags.remove) requireFixedPort(endpoint);
  const needsToken = !flags.remove && tokenFile !== undefined;
  return {
    scope: flags.global ? "global" : "project",
    name: flags.name,
    around: { home: places.home, folder, environment, platform: process.platform },
    endpoint,
    token: needsToken ? readToken(tokenFile) : undefined,
    tokenFile,
    tokenForm: tokenFormOf(flags.token),
    force: flags.force === true,
    launcher: launcherOf(argv, environment),
    ledgerFile: join(places.stateFolder, "clients.json"),
    backupFolder: join(places.stateFolder, "backups"),
  };
}

function tokenFormOf(value: string | undefined): TokenForm | undefined {
  if (value === undefined || value === "literal" || value === "reference") return value;
  throw new CommandError("INVALID_TOKEN_FORM", "--token must be literal or reference");
}

/** The bare name where the PATH leads to this program, since it outlives updates; else what runs now. */
function launcherOf(
  [node, script]: readonly [string, string],
  { PATH = "" }: Environment,
): [string, ...string[]] {
  const own = realpathSync(script);
  const isFound = PATH.split(delimiter).some((folder) => leadsTo(join(folder, "wraptool"), own));
  return isFound ? ["wraptool"] : [node, own];
}

function leadsTo(path: string, target: string): boolean {
  try {
    return realpathSync(path) === target;
  } catch {
    return false; // nothing of this name in this folder
  }
}

/** The gateway refuses a folder outside of its roots, which would show only when a client connects. */
async function warnAboutFolder(
  { config, global }: InitFlags,
  { load, folder }: CommandSurroundings,
): Promise<string[]> {
  const { cwdRoots } = load(config).config.mcp;
  if (global || (await createCwdCheck(cwdRoots).admit(folder, true))) return [];
  return ["this folder is outside of mcp.allowed_cwd_roots, so the gateway will refuse the entry"];
}

function tell(
  outcomes: readonly Outcome[],
  { ok, dryRun, warnings }: { ok: boolean; dryRun: boolean; warnings: readonly string[] },
  report: Report,
): void {
  if (report.json) {
    report.result("", { ok, dryRun, warnings, results: outcomes });
    return;
  }
  const done = outcomes.filter((outcome) => "action" in outcome);
  if (done.length > 0) report.result(done.map((one) => describe(one, dryRun)).join("\n"), {});
  for (const warning of warnings) report.warn(warning);
  for (const { harness, error } of outcomes.filter((outcome) => "error" in outcome)) {
    const { code, message, hint, fragment } = error;
    report.failure({ code, message: `${harness}: ${message}`, hint, status: EXIT.failed });
    if (fragment !== undefined) report.note(`To merge by hand:\n${fragment.trimEnd()}`);
  }
}

const DONE = {
  added: "added to",
  renewed: "renewed in",
  unchanged: "unchanged in",
  removed: "removed from",
  absent: "has no entry in",
};
const WOULD_BE = {
  ...DONE,
  added: "would be added to",
  renewed: "would be renewed in",
  removed: "would be removed from",
};

function describe(done: Done, dryRun: boolean): string {
  const { harness, file, action, diff, exclude, backup, notes, next } = done;
  const lines = [
    ...(exclude === undefined
      ? []
      : [`git ${dryRun ? "would ignore" : "ignores"} it: ${exclude.line} in ${exclude.file}`]),
    ...(backup === undefined ? [] : [`the file as it was: ${backup}`]),
    ...notes,
    ...next.map((step) => `next: ${step}`),
  ];
  const head = `${harness}: ${(dryRun ? WOULD_BE : DONE)[action]} ${file}`;
  return [head, ...lines.map((line) => `  ${line}`), ...(diff ? [diff] : [])].join("\n");
}
