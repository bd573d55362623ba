import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTempFolder, isAlive, officialServer } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { fixture, openSession } from "./session.ts";

const script = fileURLToPath(new URL("servers/answers-oddly.mjs", import.meta.url));
const odd = { command: process.execPath, args: [script] };
const pidOf = (text: string) => Number(text.split("\n").at(-1));

describe("a stdio server", () => {
  it("[A12] is not started by status, and [A21] once by concurrent first users", async () => {
    await using session = await openSession({ echo: fixture("echo") });
    expect((await session.ask({})).text).toBe(
      "MCP adapter status\n- echo: disconnected; automaticReconnect=off",
    );
    const folder = { server: "echo", tool: "folder" };
    const [first, second] = await Promise.all([session.ask(folder), session.ask(folder)]);
    expect(pidOf(first?.text ?? "")).toBe(pidOf(second?.text ?? ""));
    expect((await session.ask({})).text).toMatch(/echo: connected/);
  });

  it("lists, searches, describes and calls, alike in both forms", async () => {
    await using session = await openSession({ echo: fixture("echo") });
    const pairs: [object, object, RegExp][] = [
      [{}, { operation: "tools.list" }, /^MCP tools on "echo" \(5\)\n- echo: Return the text/],
      [{ search: "sum" }, { operation: "tools.search", query: "sum" }, /- add: Sum two numbers/],
      [{ describe: "add" }, { operation: "tools.describe", name: "add" }, /"required": \[/],
      [
        { tool: "add", args: { a: 1, b: 2 } },
        { operation: "tools.call", name: "add", arguments: { a: 1, b: 2 } },
        /^3\n\{"sum":3\}$/,
      ],
    ];
    for (const [short, explicit, text] of pairs) {
      const answer = await session.ask({ server: "echo", ...short });
      expect(answer.text).toMatch(text);
      expect(await session.ask({ server: "echo", ...explicit })).toEqual(answer);
    }
  });

  it("[A33] turns the tool's own error into a tool error, with its text", async () => {
    await using session = await openSession({ echo: fixture("echo") });
    expect(await session.ask({ server: "echo", tool: "fail" })).toMatchObject({
      isError: true,
      text: "The tool failed on purpose",
      details: { travis234Mcp: { operation: "call", server: "echo", isError: true } },
    });
  });

  it("[A16] is not called with arguments that do not fit, or for a tool that it does not have", async () => {
    await using session = await openSession({ echo: fixture("echo") });
    const unfit = await session.ask({ server: "echo", tool: "add", args: { a: "x", b: 1 } });
    expect(unfit.text).toMatch(/ARGUMENTS_INVALID.*\/a must be number/);
    const unknown = await session.ask({ server: "echo", tool: "ecko" });
    expect(unknown.text).toMatch(/TOOL_UNKNOWN.*near names are "echo"/);
  });

  it("[A27] gets the SDK's minimal environment and its entry's, in its entry's folder", async () => {
    await using folder = createTempFolder();
    const entry = fixture("echo", { cwd: folder.path, env: { LOG_LEVEL: "info" } });
    const env = { PATH: process.env.PATH, HOME: "/home/me", UNRELATED: "x", NODE_OPTIONS: "" };
    await using session = await openSession({ echo: entry }, { env });
    const names = (await session.ask({ server: "echo", tool: "environment" })).text.split("\n");
    expect(names.filter((name) => !name.startsWith("__"))).toEqual(["HOME", "LOG_LEVEL", "PATH"]);
    expect((await session.ask({ server: "echo", tool: "folder" })).text).toMatch(folder.path);
  });

  it("[A27] may print noise on stdout", async () => {
    await using session = await openSession({ noisy: fixture("noisy") });
    expect((await session.ask({ server: "noisy", tool: "say" })).text).toBe("said");
  });

  it("[A27] that ends at its start is told of with its status and its redacted last words", async () => {
    const broken = fixture("exits-at-start", { env: { SERVICE_TOKEN: "$env:TOKEN" } });
    const env = { PATH: process.env.PATH, TOKEN: "start-secret-1" };
    await using session = await openSession({ broken, echo: fixture("echo") }, { env });
    const { text } = await session.ask({ server: "broken" });
    expect(text).toMatch(/START_FAILED.*exited with status 3 before it answered/);
    expect(text).toContain("The server said: cannot open the database for [redacted]");
    expect((await session.ask({})).text).toMatch(
      /broken: failed;.*lastError=START_FAILED at \d{4}-/,
    );
    expect((await session.ask({ server: "echo" })).isError).toBe(false);
  });

  it("that refuses the handshake is told of with its code and its words", async () => {
    const script = `process.stdin.once("data", (line) => console.log(JSON.stringify({
      jsonrpc: "2.0", id: JSON.parse(line).id, error: { code: -32000, message: "licence expired" } })))`;
    await using session = await openSession({
      refusing: { command: process.execPath, args: ["-e", script] },
    });
    const { text } = await session.ask({ server: "refusing" });
    expect(text).toMatch(
      /CONNECT_FAILED.*JSON-RPC error -32000\.\nThe server said: licence expired/,
    );
  });

  it("that does not exist, or whose folder does not, is told of without a path", async () => {
    await using session = await openSession({
      missing: { command: "no-such-command" },
      lost: fixture("echo", { cwd: "/no/such/folder" }),
    });
    expect((await session.ask({ server: "missing" })).text).toMatch(/START_FAILED.*not found/);
    const lost = await session.ask({ server: "lost" });
    expect(lost.text).toMatch(/START_FAILED.*working directory/);
    expect(lost.text).not.toContain("/no/such");
  });

  it("[A26] that dies in a call has run it once, and the next call starts it anew", async () => {
    await using folder = createTempFolder();
    const file = join(folder.path, "ran");
    await using session = await openSession({ dies: fixture("dies-in-call") });
    const { text } = await session.ask({ server: "dies", tool: "boom", args: { file } });
    expect(text).toMatch(/CONNECTION_LOST.*exited with status 17.*The outcome is unknown/);
    expect(text).toContain("fatal: out of luck");
    expect((await session.ask({ server: "dies", tool: "fine" })).text).toBe("fine");
    expect(await readFile(file, "utf8")).toBe("ran\n");
  });

  it.concurrent("[A23] that does not answer in time fails the call alone, and [A25] stays connected", async () => {
    await using session = await openSession({
      silent: fixture("silent", { requestTimeoutMs: 1500 }),
    });
    const { text } = await session.ask({ server: "silent", tool: "wait" });
    expect(text).toMatch(/REQUEST_TIMEOUT.*within 1500 ms.*The outcome is unknown/);
    expect((await session.ask({})).text).toMatch(/silent: connected/);
  });

  it.concurrent("[A23] that never finishes the handshake fails within its timeout", async () => {
    await using session = await openSession({ mute: fixture("mute", { requestTimeoutMs: 300 }) });
    expect((await session.ask({ server: "mute" })).text).toMatch(/CONNECT_TIMEOUT.*within 300 ms/);
  });

  it("[A24] cancel settles a call at once and hurts nobody else", async () => {
    await using session = await openSession({ silent: fixture("silent") });
    await session.ask({ server: "silent" });
    const controller = new AbortController();
    const waiting = session.ask({ server: "silent", tool: "wait" }, controller.signal);
    setImmediate(() => controller.abort());
    expect((await waiting).text).toMatch(/CANCELLED/);
    expect((await session.ask({})).text).toMatch(/silent: connected/);
  });

  it("[A25] stays connected after a JSON-RPC error, and not after an answer that is no MCP", async () => {
    await using session = await openSession({ odd });
    const ask = (tool: string) => session.ask({ server: "odd", tool });
    const before = (await ask("pid")).text;
    expect((await ask("refuse")).text).toBe(
      'MCP server "odd" call failed (SERVER_ERROR): The server answered with JSON-RPC error -32602.\nThe server said: no such page',
    );
    expect((await session.ask({})).text).toMatch(/odd: connected/);
    expect((await ask("pid")).text).toBe(before);
    expect((await ask("number")).text).toMatch(/PROTOCOL_ERROR.*result that is not an object/);
    expect((await session.ask({})).text).toMatch(/odd: failed; .*lastError=PROTOCOL_ERROR/);
    expect((await ask("pid")).text).not.toBe(before);
    expect(isAlive(Number(before))).toBe(false);
  });

  it("[A22] that ends at a method that it does not know is asked for nothing that it does not offer", async () => {
    await using session = await openSession({ odd });
    const before = (await session.ask({ server: "odd", tool: "pid" })).text;
    for (const operation of ["tools.list", "resources.list", "prompts.list"])
      expect((await session.ask({ server: "odd", operation })).isError).toBe(false);
    const controller = new AbortController();
    controller.abort();
    await session.ask({ server: "odd", tool: "pid" }, controller.signal);
    expect((await session.ask({ server: "odd", tool: "pid" })).text).toBe(before);
  });

  it("[A31] that repeats a cursor is told of it, and stays connected", async () => {
    await using session = await openSession({ plain: fixture("repeats-cursor") });
    const { text } = await session.ask({ server: "plain" });
    expect(text).toMatch(/LIMIT_EXCEEDED.*repeats a page's cursor/);
    expect((await session.ask({})).text).toMatch(/plain: connected/);
  });

  it("[A13] with 1,000 tools is listed within the bounds, and [A31] with 101 pages refused", async () => {
    await using session = await openSession({
      many: fixture("many-tools", {}, "1000"),
      more: fixture("many-tools", {}, "10001"),
    });
    expect((await session.ask({ server: "many" })).text).toMatch(/\(1000\)\n- tool_1:/);
    const { text } = await session.ask({ server: "more", search: "tool 7" });
    expect(text).toMatch(/LIMIT_EXCEEDED.*more than 100 pages/);
  });

  it("with odd schemas and content is usable", async () => {
    await using session = await openSession({ odd: fixture("odd-tools") });
    expect((await session.ask({ server: "odd" })).text).toMatch(/\(3\)/);
    expect((await session.ask({ server: "odd", tool: "anything", args: { x: 1 } })).text).toBe(
      "anything",
    );
    const extras = await session.ask({ server: "odd", tool: "extras" });
    expect(extras.text).toMatch(
      /^\[Unsupported MCP content: video\]\nafter the video\n\[1,2,3\]\n\[The arguments/,
    );
  });

  it("[A32] whose answer is long is previewed, and its file ends with the session", async () => {
    let path = "";
    {
      await using session = await openSession({ big: fixture("big") });
      const { text, details } = await session.ask({
        server: "big",
        tool: "text",
        args: { bytes: 51201 },
      });
      expect(text).toMatch(
        /^\[Too long to show: 51201 bytes .*until the session ends.*\]\nPreview:\nx+…$/,
      );
      path = details.travis234Mcp.spillPath as string;
      expect(await readFile(path, "utf8")).toBe("x".repeat(51201));
    }
    await expect(readFile(path)).rejects.toThrow(/ENOENT/);
  });

  it("[A31] whose message is longer than 32 MiB fails the call alone", async () => {
    await using session = await openSession({ big: fixture("big") });
    const { text } = await session.ask({
      server: "big",
      tool: "text",
      args: { bytes: 33_600_000 },
    });
    expect(text).toMatch(/LIMIT_EXCEEDED/);
    expect((await session.ask({ server: "big", tool: "text", args: { bytes: 1 } })).text).toBe("x");
  });

  it("[A26] is replaced by reconnect, with references resolved anew", async () => {
    const env = { PATH: process.env.PATH, LEVEL: "one" };
    const entry = fixture("echo", { env: { LEVEL: "$env:LEVEL" } });
    await using session = await openSession({ echo: entry }, { env });
    const level = () =>
      session.ask({ server: "echo", tool: "environment", args: { name: "LEVEL" } });
    const before = pidOf((await session.ask({ server: "echo", tool: "folder" })).text);
    env.LEVEL = "two";
    expect((await level()).text).toBe("one");
    const done = await session.ask({ server: "echo", operation: "reconnect" });
    expect(done.text).toBe('MCP server "echo" reconnected');
    expect(done.details).toEqual({
      travis234Mcp: { operation: "reconnect", isError: false, server: "echo", spilled: false },
    });
    expect((await level()).text).toBe("two");
    expect(isAlive(before)).toBe(false);
  });

  it.concurrent("[A27] that ignores the end of its input and SIGTERM is gone after the session", async () => {
    let pid = 0;
    {
      await using session = await openSession({ stubborn: fixture("stubborn") });
      pid = pidOf((await session.ask({ server: "stubborn", tool: "pid" })).text);
      expect(isAlive(pid)).toBe(true);
    }
    expect(isAlive(pid)).toBe(false);
  });

  it("from npm, the filesystem server, lists, searches, describes and reads", async () => {
    await using folder = createTempFolder();
    await writeFile(join(folder.path, "note.txt"), "remember the milk");
    const args = [officialServer("@modelcontextprotocol/server-filesystem"), folder.path];
    await using session = await openSession({ files: { command: process.execPath, args } });
    expect((await session.ask({ server: "files" })).text).toMatch(/\(14\)\n- read_file/);
    const found = await session.ask({ server: "files", search: "read a text file" });
    expect(found.text.split("\n").slice(1, 4).join()).toContain("read_text_file");
    const schema = await session.ask({ server: "files", describe: "read_text_file" });
    expect(schema.text).toMatch(/Input schema:[\s\S]*"path"[\s\S]*Output schema:/);
    const read = { tool: "read_text_file", args: { path: join(folder.path, "note.txt") } };
    expect((await session.ask({ server: "files", ...read })).text).toMatch(/^remember the milk/);
  });
});

describe("the adapter", () => {
  it("[A11] answers an unknown server with the configured names, and connects nothing", async () => {
    await using session = await openSession({ b: fixture("echo"), a: fixture("echo") });
    const { text, isError } = await session.ask({ server: "c", tool: "x" });
    expect([text, isError]).toEqual([
      'Invalid MCP request: No server is named "c"; configured are "a", "b".\nExample: {"server":"a"}',
      true,
    ]);
    await using empty = await openSession({});
    expect((await empty.ask({ server: "c" })).text).toMatch(
      /no server is configured\.\nExample: \{\}$/,
    );
  });

  it("[A10] has the same tool for 0, 1 and 50 servers", async () => {
    const tools = [0, 1, 50].map(async (count) => {
      const names = Array.from({ length: count }, (_, at) => [`s${at}`, fixture("echo")]);
      await using session = await openSession(Object.fromEntries(names));
      return JSON.stringify(session.adapter.tool);
    });
    expect(new Set(await Promise.all(tools)).size).toBe(1);
  });

  it("is closed for good, and can be closed twice", async () => {
    const session = await openSession({ echo: fixture("echo") });
    const pid = pidOf((await session.ask({ server: "echo", tool: "folder" })).text);
    await session[Symbol.asyncDispose]();
    await session[Symbol.asyncDispose]();
    expect(isAlive(pid)).toBe(false);
    expect((await session.ask({ server: "echo" })).text).toMatch(/CLOSED/);
  });
});
