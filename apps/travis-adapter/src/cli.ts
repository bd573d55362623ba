#!/usr/bin/env node
import { Console } from "node:console";
import { homedir } from "node:os";
import {
  CommandError,
  createProgram,
  createReport,
  EXIT,
  runProgram,
  signalExit,
} from "@core/terminal";
import { isObject } from "@core/wire";
import { createAdapter, createAdapterWith } from "./adapter.ts";
import type { AdapterOptions, PackagedServer, ToolResult } from "./host.ts";
import { limits } from "./limits.ts";

declare const __VERSION__: string;

interface Options {
  readonly cwd: string;
  readonly home: string;
  readonly trustProject?: boolean;
  readonly offline?: boolean;
  readonly spills?: string;
  readonly packagedServer?: readonly PackagedServer[];
}

const { stdout, stderr, env } = process;
const report = createReport({ stdout, stderr, environment: env });
const program = createProgram(
  {
    name: "travis234-mcp-adapter",
    version: __VERSION__,
    description:
      "Reaches explicitly configured MCP servers through one bounded tool, as the Travis234 agent does.",
    examples: [
      "travis234-mcp-adapter status",
      `travis234-mcp-adapter call '{"server":"filesystem"}'`,
      `travis234-mcp-adapter call '{"server":"filesystem","search":"read a file"}' --json`,
    ],
  },
  report,
)
  .option("--cwd <dir>", "project folder", process.cwd())
  .option("--home <dir>", "home folder", homedir())
  .option("--trust-project", "read the project's own configuration files")
  .option("--offline", "refuse servers that need the network");

program
  .command("call")
  .description("perform one request and print what a model would see")
  .argument("<request>", "the request as a JSON object, or - to read it from stdin")
  .option("--json", "print {content, details, isError}")
  .option("--spills <dir>", "keep what is too long to show in this folder")
  .action(async (request: string, _options, command) => {
    const text = request === "-" ? await readInput() : request;
    await performOne(parseRequest(text), command.optsWithGlobals());
  });

program
  .command("status")
  .description("report on the configuration without connecting to anything")
  .option("--json", "print {content, details, isError}")
  .action((_options, command) => performOne({}, command.optsWithGlobals()));

program
  .command("doctor")
  .description("check files, trust and references, start each server once, and say what to do")
  .option("--json", "print {findings: [{level, subject, reason, remedy}]}")
  .action(async (_options, command) => diagnose(command.optsWithGlobals()));

program
  .command("host")
  .description("serve one host over JSON lines on stdin and stdout until stdin ends")
  .option("--packaged-server <json>", "a server that a package ships; may be repeated", collect, [])
  .action((_options, command) => serveHost(command.optsWithGlobals()));

/** Interrupting a request cancels it, ends its server and still says what is known. */
async function performOne(request: object, options: Options): Promise<void> {
  const interruption = listenForInterruption();
  const { spills } = options;
  const spillFolder = spills === undefined ? {} : { spillFolder: spills };
  const adapter = await createAdapter({ ...place(options), env, oneShot: true, ...spillFolder });
  try {
    const result = await adapter.execute(request, { signal: interruption.signal });
    report.result(textOf(result), result);
    report.exitCode = interruption.exitCode() ?? (result.isError ? EXIT.failed : EXIT.done);
  } finally {
    await adapter[Symbol.asyncDispose]();
  }
}

async function diagnose(options: Options): Promise<void> {
  const interruption = listenForInterruption();
  const { examine } = await import("./doctor.ts");
  const findings = await examine({ ...place(options), env }, interruption.signal);
  const lines = findings.map(({ level, subject, reason, remedy }) =>
    [`${level}: ${subject}: ${reason}`, ...(remedy === undefined ? [] : [`  ${remedy}`])].join(
      "\n",
    ),
  );
  report.result(lines.join("\n"), { findings });
  const isFailed = findings.some(({ level }) => level === "error");
  report.exitCode = interruption.exitCode() ?? (isFailed ? EXIT.failed : EXIT.done);
}

async function serveHost(options: Options): Promise<void> {
  // The protocol owns stdout; whatever a library prints must not break its lines.
  globalThis.console = new Console(stderr);
  const interruption = listenForInterruption();
  const { serveLines } = await import("./lines/serve.ts");
  await serveLines({
    version: __VERSION__,
    input: process.stdin,
    output: stdout,
    signal: interruption.signal,
    open: (present) =>
      createAdapterWith(options.packagedServer ?? [], { ...place(options), env: present }),
  });
  report.exitCode = interruption.exitCode() ?? EXIT.done;
}

function place(options: Options): Omit<AdapterOptions, "env"> {
  const { cwd, home, trustProject = false, offline = false } = options;
  return { cwd, home, trustProject, offline };
}

/** SIGINT and SIGTERM abort the signal; the exit status then tells which of them came first. */
function listenForInterruption() {
  const interruption = new AbortController();
  let by: NodeJS.Signals | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      by ??= signal;
      interruption.abort();
    });
  const exitCode = () => (by === undefined ? undefined : signalExit(by));
  return { signal: interruption.signal, exitCode };
}

/** What else is wrong with a packaged server, status tells. */
function collect(json: string, before: readonly PackagedServer[]): PackagedServer[] {
  const server = parseObject(json) as Partial<PackagedServer> | undefined;
  const isServer = [server?.name, server?.root, server?.command].every(
    (text) => typeof text === "string",
  );
  if (isServer) return [...before, server as PackagedServer];
  throw new CommandError(
    "PACKAGED_SERVER_INVALID",
    "--packaged-server takes a JSON object with name, root and command",
    { status: EXIT.usage },
  );
}

function textOf({ content }: ToolResult): string {
  return content
    .map((block) => (block.type === "text" ? block.text : `[Image: ${block.mimeType}]`))
    .join("\n");
}

function parseRequest(text: string): object {
  const request = parseObject(text);
  if (request !== undefined) return request;
  throw new CommandError("REQUEST_NOT_AN_OBJECT", "The request must be one JSON object", {
    hint: `For example: travis234-mcp-adapter call '{"server":"NAME"}'`,
    status: EXIT.usage,
  });
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // no JSON at all is as wrong as a value that is no object
  }
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > limits.maxRequestBytes)
      throw new CommandError(
        "REQUEST_TOO_LONG",
        `A request has at most ${limits.maxRequestBytes} bytes`,
      );
  }
  return Buffer.concat(chunks).toString("utf8");
}

process.exitCode = await runProgram(program, process.argv.slice(2), report);
