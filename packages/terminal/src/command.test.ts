import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import {
  CommandError,
  createProgram,
  createReport,
  EXIT,
  runProgram,
  signalExit,
} from "./index.ts";

async function run(argv: string[], environment: Record<string, string> = {}) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const report = createReport({ stdout, stderr, environment });
  const program = createProgram(
    { name: "sample", version: "1.2.3", description: "A sample.", examples: ["sample greet Ann"] },
    report,
  );
  program.configureOutput({
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
  });
  program
    .command("greet")
    .argument("<name>")
    .option("--times <n>", "how often", Number)
    .option("--json", "print one JSON object")
    .action((name: string) => {
      if (name === "nobody")
        throw new CommandError("NO_NAME", "Nobody can be greeted", { hint: "Give a name" });
      if (name === "bug") throw new TypeError("secret-in-a-stack");
      if (name === "full")
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), {
          ...{ errno: -28, code: "ENOSPC", syscall: "write" },
        });
      if (name === "refused") report.exitCode = EXIT.failed;
      report.debug("greeting");
      report.warn("polite");
      report.result(`hello ${name}`, { hello: name });
    });
  const status = await runProgram(program, argv, report);
  return { status, stdout: String(stdout.read() ?? ""), stderr: String(stderr.read() ?? "") };
}

describe("runProgram", () => {
  it("[W9] prints the result on stdout and everything else on stderr", async () => {
    const { status, stdout, stderr } = await run(["greet", "Ann"]);
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: "hello Ann\n",
      stderr: "warning: polite\n",
    });
  });

  it("[W9] prints exactly one JSON object with --json", async () => {
    const { stdout } = await run(["greet", "Ann", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ hello: "Ann" });
  });

  it("[W9] prints a failure as one line with its hint and exits 1", async () => {
    const { status, stdout, stderr } = await run(["greet", "nobody"]);
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: "",
      stderr: "error: Nobody can be greeted\n  Give a name\n",
    });
  });

  it("[W9] prints a failure as {error} with --json, also for a usage error", async () => {
    const failed = await run(["greet", "nobody", "--json"]);
    expect(JSON.parse(failed.stdout)).toEqual({
      error: { code: "NO_NAME", message: "Nobody can be greeted", hint: "Give a name" },
    });
    const usage = await run(["greet", "--json", "--tims", "3", "Ann"]);
    expect(usage.status).toBe(EXIT.usage);
    expect(JSON.parse(usage.stdout).error).toMatchObject({ code: "USAGE" });
  });

  it.each([
    [["greet"], "missing required argument 'name'"],
    [["greet", "Ann", "--tims", "3"], "Did you mean --times?"],
    [["gret", "Ann"], "Did you mean greet?"],
    [[], "No command was given"],
  ])("[W9] refuses %j as usage with exit status 2", async (argv, text) => {
    const { status, stdout, stderr } = await run(argv);
    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(text);
    expect(stderr).toMatch(argv[0] === "greet" ? /See sample greet --help/ : /See sample --help/);
  });

  it("[W9] shows help and the version on stdout with exit status 0", async () => {
    const help = await run(["--help"]);
    expect(help.status).toBe(0);
    expect(help.stdout).toContain("Examples:\n  sample greet Ann");
    expect(await run(["--version"])).toEqual({ status: 0, stdout: "1.2.3\n", stderr: "" });
    expect((await run(["greet", "--help"])).stdout).toContain("--times <n>");
  });

  it("[W9] hides what an unexpected error says, and shows its stack only when verbose", async () => {
    const quiet = await run(["greet", "bug"]);
    expect(quiet.status).toBe(1);
    expect(quiet.stderr).not.toContain("secret-in-a-stack");
    expect((await run(["greet", "bug", "--verbose"])).stderr).toContain("TypeError");
  });

  it("[W9] tells what the system refused, and what to do about it", async () => {
    const { status, stderr } = await run(["greet", "full"]);
    expect(status).toBe(1);
    expect(stderr).toBe(
      "error: The system refused it: ENOSPC: no space left on device, write\n" +
        "  Free some space on that disk, and try again\n",
    );
  });

  it("[W9] lets a command that returned set the exit status", async () => {
    expect((await run(["greet", "refused"])).status).toBe(1);
  });

  it("[W9] treats --json behind -- as an argument", async () => {
    expect((await run(["greet", "--", "--json"])).stdout).toBe("hello --json\n");
  });
});

describe("colours", () => {
  it("[W9] are absent without a terminal and under NO_COLOR, present when forced", async () => {
    const failing = ["greet", "nobody"];
    expect((await run(failing, { FORCE_COLOR: "1", NO_COLOR: "1" })).stderr).toMatch(/^error:/);
    expect((await run(failing, { FORCE_COLOR: "1" })).stderr).toContain("\u001b[31m");
    expect((await run(failing)).stderr).not.toContain("\u001b");
  });
});

describe("signalExit", () => {
  it("[W9] is 128 + n for signal n", () => {
    expect([signalExit("SIGINT"), signalExit("SIGTERM")]).toEqual([130, 143]);
  });
});
