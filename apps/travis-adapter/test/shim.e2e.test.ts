import { rmSync } from "node:fs";
import { join } from "node:path";
import { isAlive, startProcess } from "test-fixtures";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { errorCodes } from "../src/errors.ts";
import {
  hostEnvironment,
  type Installed,
  installWithChild,
  play,
  scenarios,
} from "./travis-host/play.ts";

let installed: Installed;
beforeAll(() => {
  installed = installWithChild();
});
afterAll(() => installed[Symbol.asyncDispose]());

const playHere = (scenario: string, argument = "", env: NodeJS.ProcessEnv = {}) =>
  play({ scenario, extension: installed.extension, home: installed.home, argument, env });

interface Answer {
  readonly content: readonly { readonly text: string }[];
  readonly details: { readonly travis234Mcp: { readonly errorType: string } };
  readonly isError: boolean;
}

/** Asserts a failure that is worded, marked and of a code that the README explains, and gives its sentence. */
function sentenceOf({ content, details, isError }: Answer): string {
  expect(isError).toBe(true);
  expect(Object.keys(errorCodes)).toContain(details.travis234Mcp.errorType);
  expect(content).toHaveLength(1);
  return content[0]?.text ?? "";
}

describe.concurrent("the Travis234 extension, when loaded", () => {
  it("[A1] registers one tool with four effects, and touches no file, process or thread", async () => {
    expect(await playHere("load")).toMatchObject({
      events: [],
      threads: 0,
      tools: ["mcp"],
      handlers: { session_start: 1, session_shutdown: 1, tool_result: 1 },
      effects: ["execute", "network", "read", "write"],
    });
  });

  it.each(["no effects", "no modules"])(
    "[A2] in a host with %s fails with a clear error, and nothing is registered",
    async (lack) => {
      expect(await playHere("old_host", lack)).toEqual({
        error: ["RuntimeError", expect.stringMatching(/needs a Travis234 host with tool-effect/)],
        tools: [],
        handlers: [],
      });
    },
  );

  it("[A1] starts nothing in a session that never calls it", async () => {
    expect(await playHere("never_used")).toEqual({ threads: 1 });
  });
});

describe.concurrent("the Travis234 extension, in turns", () => {
  it("[A1] keeps one process over event loops and threads, and sees the host's present environment", async () => {
    const { first, second, image, noise, odd } = await playHere("turns");
    const [before, after] = [first, second].map(({ content }) => JSON.parse(content[0].text));
    expect(before).toMatchObject({ request: { server: "files" }, variable: "before" });
    expect(after).toMatchObject({
      pid: before.pid,
      request: { tool: "x", args: { text: "ü\u2028😀" } },
      variable: "after",
    });
    expect(first.isError).toBe(false);
    expect(image.content).toEqual([{ data: "aGk=", mime_type: "image/png", type: "image" }]);
    expect(noise.isError).toBe(true);
    expect(sentenceOf({ ...odd, isError: true })).toMatch(/INTERNAL/);
  });

  it("[A1] carries long calls and answers past a flood on stderr, in any environment", async () => {
    const { received, ...rest } = await playHere("flood");
    expect(received).toBeGreaterThan(300_000);
    expect(rest).toEqual({ sent: 5_000_000, "goes on": true });
  });

  it("[A1] never blocks the host's loop, and serves calls side by side", async () => {
    const { pids } = await playHere("side_by_side");
    expect(new Set(pids).size).toBe(1);
    expect(pids).toHaveLength(4);
  });

  it("[A1] hands an abort from another thread on, and the session goes on", async () => {
    const { result, callbacks, same } = await playHere("abort", "hold");
    expect(JSON.parse(result.content[0].text)).toEqual({ cancelled: true });
    expect([result.isError, callbacks, same]).toEqual([true, 0, true]);
  });

  it("[A1] settles by itself when the process ignores an abort", async () => {
    const { result, callbacks } = await playHere("abort", "deaf");
    expect(sentenceOf(result)).toBe("MCP adapter failed (CANCELLED): The request was cancelled.");
    expect(callbacks).toBe(0);
  });

  it("[A1] hands an abort on that came before the call", async () => {
    const { result } = await playHere("aborted_before");
    expect(JSON.parse(result.content[0].text)).toEqual({ cancelled: true });
  });

  it("[A1] lets a cancelled task be cancelled, and tells the process", async () => {
    expect(await playHere("cancelled_task")).toEqual({ raised: "CancelledError", held: 0 });
  });

  it("[A1] words a crash without paths, and starts anew with the next call", async () => {
    const { crashed, fresh, threads } = await playHere("crash");
    expect(sentenceOf(crashed)).toBe(
      "MCP adapter failed (CONNECTION_LOST): Its process ended with status 7, and the outcome is unknown; the next call starts a new one; it said: TypeError: broken in [path].",
    );
    expect([fresh, threads]).toEqual([true, 1]);
  });

  it.each<[string, string, NodeJS.ProcessEnv, RegExp]>([
    ["Node is missing", "no node", {}, /START_FAILED.*Node\.js was not found on PATH/],
    [
      "the process ends at its start",
      "",
      { MODE: "broken" },
      /START_FAILED.*Node\.js 20\.19.*\[path\]/,
    ],
    ["the process never greets", "", { MODE: "mute" }, /START_FAILED.*did not greet/],
    ["a request is no JSON", "nan", {}, /INVALID_REQUEST.*cannot be written as JSON/],
  ])("[A1] words the failure when %s", async (_case, argument, env, sentence) => {
    const { result } = await playHere("fails", argument, env);
    expect(sentenceOf(result)).toMatch(sentence);
  });

  it("[A1] words the failure when the package was installed without a build", async () => {
    await using unbuilt = installWithChild();
    rmSync(join(unbuilt.path, "dist"), { recursive: true });
    const { extension, home } = unbuilt;
    const { result } = await play({ scenario: "fails", extension, home });
    expect(sentenceOf(result)).toMatch(/START_FAILED.*dist\/cli\.js is missing/);
  });

  it("[A1] marks only its own results as errors", async () => {
    const marked = (isError: unknown) => ({ details: { travis234Mcp: { isError } } });
    const events = [marked(true), marked(false), marked("yes"), { details: { isError: true } }, {}];
    expect(await playHere("bridge", JSON.stringify([...events, { details: null }]))).toEqual({
      told: [{ isError: true }, { isError: false }, null, null, null, null],
    });
  });
});

describe.concurrent("the Travis234 extension, when a session ends", () => {
  it("[A1] answers what runs, ends its process, refuses calls, and may be shut down twice or resumed", async () => {
    const { held, alive, after, fresh } = await playHere("shutdown");
    expect(JSON.parse(held.content[0].text)).toEqual({ ended: true });
    expect([alive, fresh]).toEqual([false, true]);
    expect(sentenceOf(after)).toBe("MCP adapter failed (CLOSED): The session has ended.");
  });

  it("[A1] ends a process by force that does not end itself", async () => {
    expect(await playHere("stubborn", "", { MODE: "stubborn" })).toEqual({ alive: false });
  });

  it("[A1] gives the session that replaces it a process of its own, and [A24] cancels its calls alone", async () => {
    const { held, ...processes } = await playHere("reload");
    expect(JSON.parse(held.content[0].text)).toEqual({ ended: true });
    expect(processes).toEqual({ alive: false, fresh: true, same: true });
  });

  it("[A1] shares a process by runner, also where a session has no start event", async () => {
    const { one, same, argv, contexts } = await playHere("subagent");
    expect([one, same]).toEqual([true, true]);
    expect(argv).toContain("--offline");
    expect(contexts).toEqual([
      { operation: "list", server: "unconfigured" },
      { operation: "list", server: "files" },
    ]);
  });

  it.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
    "[A1] leaves no process behind when the host is ended by %s",
    async (signal) => {
      const { extension, home } = installed;
      await using host = startProcess("python3", [scenarios, "dies", extension], {
        cwd: home,
        env: hostEnvironment({ home }),
      });
      const [line] = await host.waitFor(/^\{.*\}$/m);
      const { pid } = JSON.parse(line);
      expect(isAlive(pid)).toBe(true);
      host.child.kill(signal);
      await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });
    },
  );
});

describe.concurrent("the Travis234 extension, about its host", () => {
  it("[A5] passes folder and home on, and offline mode", async () => {
    const variants = [{ trusted: false }, { trusted: false, offline: true }];
    const { cwd, home, argv } = await playHere("flags", JSON.stringify(variants));
    const place = ["--cwd", cwd, "--home", home];
    expect(argv).toEqual([
      [...place, "host"],
      [...place, "--offline", "host"],
    ]);
  });

  it("[A5] trusts a project that the host trusts and that somebody decided on", async () => {
    const nearest = (decision: unknown) => ({ "trust.json": JSON.stringify({ CWD: decision }) });
    const always = { "settings.json": '{"defaultProjectTrust":"always"}' };
    const variants: [boolean, object][] = [
      [true, nearest(true)],
      [true, { "trust.json": '{"/": true}' }],
      [true, { "trust.json": '{"/": true, "CWD": null}' }],
      [true, always],
      [true, { argv: ["--mcp", "--approve"] }],
      [true, { argv: ["-a"], ...nearest(false) }],
      [false, {}],
      [false, nearest(false)],
      [false, { "trust.json": '{"/": true, "CWD": false}', ...always }],
      [false, { "settings.json": '{"defaultProjectTrust":"ask"}' }],
      [false, { "trust.json": "not JSON" }],
      [false, { "trust.json": '{"CWD": "true"}' }],
      [false, { argv: ["--", "--approve"] }],
      [false, { ...nearest(true), trusted: false }],
      [false, { argv: ["--approve"], trusted: false }],
    ];
    await using fresh = installWithChild();
    const { extension, home } = fresh;
    const argument = JSON.stringify(variants.map(([, variant]) => variant));
    const { argv } = await play({ scenario: "flags", extension, home, argument });
    const trusted = argv.map((flags: string[]) => flags.includes("--trust-project"));
    expect(trusted).toEqual(variants.map(([isTrusted]) => isTrusted));
  });
});
