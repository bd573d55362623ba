#!/usr/bin/env node
import { homedir } from "node:os";
import {
  CommandError,
  createProgram,
  createReport,
  EXIT,
  runProgram,
  signalExit,
} from "@core/terminal";
import { createAdapter } from "./adapter.ts";
import type { ToolResult } from "./host.ts";
import { limits } from "./limits.ts";

declare const __VERSION__: string;

interface Options {
  readonly cwd: string;
  readonly home: string;
  readonly trustProject?: boolean;
  readonly offline?: boolean;
  readonly spills?: string;
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
    await performOne(parseObject(text), command.optsWithGlobals());
  });

program
  .command("status")
  .description("report on the configuration without connecting to anything")
  .option("--json", "print {content, details, isError}")
  .action((_options, command) => performOne({}, command.optsWithGlobals()));

/** Interrupting a request cancels it, ends its server and still says what is known. */
async function performOne(request: object, options: Options): Promise<void> {
  const interruption = new AbortController();
  let interruptedBy: NodeJS.Signals | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      interruptedBy = signal;
      interruption.abort();
    });
  const { cwd, home, trustProject = false, offline = false, spills } = options;
  const spillFolder = spills === undefined ? {} : { spillFolder: spills };
  const given = { cwd, home, env, trustProject, offline, oneShot: true, ...spillFolder };
  const adapter = await createAdapter(given);
  try {
    const result = await adapter.execute(request, { signal: interruption.signal });
    report.result(textOf(result), result);
    report.exitCode = result.isError ? EXIT.failed : EXIT.done;
    if (interruptedBy !== undefined) report.exitCode = signalExit(interruptedBy);
  } finally {
    await adapter[Symbol.asyncDispose]();
  }
}

function textOf({ content }: ToolResult): string {
  return content
    .map((block) => (block.type === "text" ? block.text : `[Image: ${block.mimeType}]`))
    .join("\n");
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Refused below, as is a value that is no object.
  }
  throw new CommandError("REQUEST_NOT_AN_OBJECT", "The request must be one JSON object", {
    hint: `For example: travis234-mcp-adapter call '{"server":"NAME"}'`,
    status: EXIT.usage,
  });
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
