// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the configuration, not templates.
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createTempFolder, edges } from "test-fixtures";
import { describe, expect, it, vi } from "vitest";
import { limits } from "../limits.ts";
import { loadConfiguration } from "./load.ts";

const LOWEST = "home/.config/mcp/mcp.json";
const AGENT = "home/.travis234/agent/mcp.json";
const PROJECT = "project/.mcp.json";
const HIGHEST = "project/.travis234/mcp.json";

/** Loads from a temporary folder with these files; an object is written as JSON. */
async function load(files: Record<string, unknown>, trustProject = true) {
  await using folder = createTempFolder();
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder.path, path);
    await mkdir(dirname(file), { recursive: true });
    const isRaw = typeof content === "string" || content instanceof Uint8Array;
    await writeFile(file, isRaw ? content : JSON.stringify(content));
  }
  const [home, cwd] = [join(folder.path, "home"), join(folder.path, "project")];
  return loadConfiguration({ home, cwd, trustProject });
}

const servers = (mcpServers: object) => ({ mcpServers });
const stdio = (command: string) => servers({ s: { command } });

/** The problems of one entry `s` that is configured like this. */
async function problemsOf(entry: unknown): Promise<string[]> {
  const text = typeof entry === "string" ? `{"mcpServers":{"s":${entry}}}` : servers({ s: entry });
  const { entries, faults } = await load({ [LOWEST]: text });
  expect(faults).toEqual([]);
  const { value } = entries.get("s") ?? {};
  return value && "problems" in value ? value.problems.map(({ message }) => message) : [];
}

describe("the four files", () => {
  it("[A5] are merged from lowest to highest by whole entries", async () => {
    const { entries } = await load({
      [LOWEST]: servers({ s: { command: "lowest", args: ["kept?"] }, only: { command: "x" } }),
      [AGENT]: stdio("agent"),
      [PROJECT]: stdio("project"),
      [HIGHEST]: servers({ s: { url: "https://example.com/mcp" } }),
    });
    expect(entries.get("s")).toMatchObject({
      value: { definition: { kind: "http", url: "https://example.com/mcp", headers: {} } },
      origin: ".travis234/mcp.json",
      shadowed: ["~/.config/mcp/mcp.json", "~/.travis234/agent/mcp.json", ".mcp.json"],
    });
    expect(entries.get("only")?.shadowed).toEqual([]);
  });

  it("[A5] of an untrusted project are counted and not opened", async () => {
    const broken = { [PROJECT]: "{", [HIGHEST]: "{", [LOWEST]: stdio("home") };
    const untrusted = await load(broken, false);
    expect(untrusted).toMatchObject({ faults: [], ignoredProjectFiles: 2 });
    expect([...untrusted.entries.keys()]).toEqual(["s"]);
    expect((await load(broken)).faults).toHaveLength(2);
  });

  it("[A5] may all be missing, and ~/.pi is never read", async () => {
    const { entries, faults } = await load({ "home/.pi/agent/mcp.json": "{" });
    expect([entries.size, faults]).toEqual([0, []]);
  });

  it("[A5] are at literal paths: no XDG variable moves them, and no parent folder is searched", async () => {
    vi.stubEnv("XDG_CONFIG_HOME", "/no/such/folder");
    const { entries } = await load({
      ".mcp.json": servers({ parent: { command: "x" } }),
      "project/deeper/.mcp.json": servers({ child: { command: "x" } }),
      "xdg/mcp/mcp.json": servers({ xdg: { command: "x" } }),
      [LOWEST]: stdio("x"),
    });
    vi.unstubAllEnvs();
    expect([...entries.keys()]).toEqual(["s"]);
  });

  it("[A5] that cannot be read as a whole leave no server at all", async () => {
    const { entries, faults } = await load({ [LOWEST]: "{", [AGENT]: stdio("fine") });
    expect(entries.size).toBe(0);
    expect(faults[0]?.message).toMatch(/^~\/\.config\/mcp\/mcp\.json:1:2: /);
  });

  it.each<[string, string | Uint8Array]>([
    ["syntax", '{"mcpServers": {} '],
    ["a comment", '{"mcpServers": {} /* none */}'],
    ["a trailing comma", '{"mcpServers": {"s": {"command": "x"},}}'],
    ["UTF-8", new Uint8Array([0x7b, 0xff, 0x7d])],
    ["an unknown top-level key", '{"mcpServers": {}, "inputs": []}'],
    ["a missing mcpServers", "{}"],
    ["a duplicate top-level key", '{"mcpServers": {}, "mcpServers": {}}'],
    ["a duplicate server", '{"mcpServers": {"s": {"command": "x"}, "s": {"command": "y"}}}'],
    ["another root", "[]"],
  ])("[A5] are faulty as a whole by %s", async (_fault, text) => {
    expect((await load({ [LOWEST]: text })).faults).toHaveLength(1);
  });

  it.each([
    ['{"mcpServers": {} /* none */}', /:1:19: comments are not allowed in JSON/],
    ['{"mcpServers": {"s": {"command": "x"},}}', /:1:38: a trailing comma is not allowed/],
  ])("[A6] say of %j what is not allowed, and where", async (text, message) => {
    expect((await load({ [LOWEST]: text })).faults[0]?.message).toMatch(message);
  });

  it("[A5] are faulty where a folder stands in their place", async () => {
    const { faults } = await load({ [`${LOWEST}/inside`]: "" });
    expect(faults[0]?.message).toMatch(/mcp\.json: is a folder; it must be a regular file/);
  });

  it("[A6] hold at most 1,000 servers, 1 MiB and 64 levels", async () => {
    const many = (count: number) =>
      servers(
        Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}`, { command: "x" }])),
      );
    const sized = (bytes: number) => {
      const text = JSON.stringify(stdio("x"));
      return text + " ".repeat(bytes - text.length);
    };
    const deep = (levels: number) =>
      `{"mcpServers":{"s":{"command":"x","args":${"[".repeat(levels - 3)}${"]".repeat(levels - 3)}}}}`;
    const edgesOf = async (limit: number, make: (n: number) => unknown) =>
      Promise.all(edges(limit).map(async (n) => (await load({ [LOWEST]: make(n) })).faults.length));
    expect(await edgesOf(limits.maxConfigServers, many)).toEqual([0, 0, 1]);
    expect(await edgesOf(limits.maxConfigFileBytes, sized)).toEqual([0, 0, 1]);
    expect(await edgesOf(limits.maxConfigDepth, deep)).toEqual([0, 0, 1]);
  });

  it("[A6] may begin with a byte order mark and be links", async () => {
    expect((await load({ [LOWEST]: `\uFEFF${JSON.stringify(stdio("x"))}` })).faults).toEqual([]);
    await using folder = createTempFolder();
    await writeFile(join(folder.path, "real.json"), JSON.stringify(stdio("linked")));
    await symlink(join(folder.path, "real.json"), join(folder.path, ".mcp.json"));
    const loaded = loadConfiguration({ home: folder.path, cwd: folder.path, trustProject: true });
    expect(loaded.entries.has("s")).toBe(true);
  });
});

describe("an entry", () => {
  it("[A5] that is bad disables its own name alone, and no lower file's takes its place", async () => {
    const { entries, faults } = await load({
      [LOWEST]: stdio("fine"),
      [AGENT]: servers({ s: { command: 5 }, other: { command: "x" } }),
    });
    expect(faults).toEqual([]);
    expect(entries.get("s")?.value).toMatchObject({
      problems: [{ file: "~/.travis234/agent/mcp.json", field: "mcpServers.s.command" }],
    });
    expect(entries.get("other")?.value).toHaveProperty("definition");
  });

  it.each<[unknown]>([
    [{ command: "x", args: [], cwd: "/x", env: { LOG_LEVEL: "info" }, requestTimeoutMs: 0 }],
    [{ command: "x", lifecycle: "lazy", requestTimeoutMs: -1 }],
    [{ url: "http://localhost:1/mcp", headers: { "X-Trace": "on" }, requestTimeoutMs: 2147483647 }],
    [{ command: "x", reconnect: { automatic: true, maxAttempts: 3, baseDelayMs: 500 } }],
    [{ command: "${literal}", args: ["$env:X", "${Y"] }],
  ])("[A6] accepts %j", async (entry) => {
    expect(await problemsOf(entry)).toEqual([]);
  });

  it("has the seed's defaults", async () => {
    const { entries } = await load({ [LOWEST]: stdio("x") });
    expect(entries.get("s")?.value).toEqual({
      definition: {
        name: "s",
        kind: "stdio",
        command: "x",
        args: [],
        env: {},
        reconnect: { automatic: false, maxAttempts: 1, baseDelayMs: 100 },
      },
    });
  });

  it.each<[unknown, RegExp]>([
    [{}, /either command \(stdio\) or url \(HTTP\)/],
    [{ command: "x", url: "https://x" }, /url: cannot stand beside command/],
    [{ command: " " }, /command: must not be blank/],
    [{ command: "x", comand: 1 }, /comand: unknown field; did you mean "command"/],
    [{ command: "x", headers: {} }, /headers: does not belong to the stdio transport/],
    [{ url: "https://x", args: [] }, /args: does not belong to the HTTP transport/],
    [{ url: "ftp://x" }, /url: must be an http or https URL/],
    [{ url: "x" }, /url: must be an http or https URL/],
    [{ command: "x", args: "y" }, /args: must be/],
    [{ command: "x", args: null }, /args: must be/],
    [{ command: "x", env: { A: 1 } }, /env\.A: must be/],
    [{ command: "x", env: { "A=B": "1" } }, /env\["A=B"\]: a variable's name/],
    [{ command: "x", lifecycle: "eager" }, /lifecycle: must be lazy/],
    [{ command: "x", type: "stdio" }, /type: is not used here; remove it/],
    [{ url: "https://x", disabled: true }, /disabled: is not used here; to disable/],
    [{ command: "x", requestTimeoutMs: 2147483648 }, /requestTimeoutMs: must be/],
    [{ command: "x", requestTimeoutMs: "5" }, /requestTimeoutMs: must be/],
    ['{"command":"x","requestTimeoutMs":1.0}', /requestTimeoutMs: must be an integer/],
    ['{"command":"x","requestTimeoutMs":1e3}', /requestTimeoutMs: must be an integer/],
    ['{"command":"x","command":"y"}', /command: this key stands twice/],
    [{ command: "x", reconnect: null }, /reconnect: must be/],
    [{ command: "x", reconnect: { automatic: 1 } }, /reconnect\.automatic: must be/],
    [{ command: "x", reconnect: { automatic: null } }, /reconnect\.automatic: must be/],
    [{ command: "x", reconnect: { maxAttempts: 0 } }, /reconnect\.maxAttempts: must be/],
    [{ command: "x", reconnect: { maxAttempts: 4 } }, /reconnect\.maxAttempts: must be/],
    [{ command: "x", reconnect: { maxAttempts: true } }, /reconnect\.maxAttempts: must be/],
    [{ command: "x", reconnect: { baseDelayMs: 99 } }, /reconnect\.baseDelayMs: must be/],
    [{ command: "x", reconnect: { baseDelayMs: 501 } }, /reconnect\.baseDelayMs: must be/],
    [{ command: "x", reconnect: { retries: 1 } }, /reconnect\.retries: unknown field/],
    [{ url: "https://x", headers: { "a b": "1" } }, /no name that HTTP allows/],
    [{ url: "https://x", headers: { A: "1\r\n2" } }, /HTTP forbids/],
    [{ url: "https://x", headers: { Host: "y" } }, /set by the connection/],
    [{ url: "https://x", headers: { A: "1", a: "2" } }, /stands twice in another case/],
    ["5", /must be/],
  ])("[A6] %j is refused with field and reason", async (entry, message) => {
    const [problem] = await problemsOf(entry);
    expect(problem).toMatch(/^~\/\.config\/mcp\/mcp\.json:\d+:\d+ mcpServers\.s/);
    expect(problem).toMatch(message);
  });

  it.each(["", " ", " s", "s ", "a\nb", "a\u0085b"])("[A6] cannot be named %j", async (name) => {
    const { entries } = await load({ [LOWEST]: servers({ [name]: { command: "x" } }) });
    expect(entries.get(name)?.value).toHaveProperty("problems");
  });

  it.each<[string, Record<string, string>]>([
    [
      "env",
      { SERVICE_TOKEN: "${SERVICE_TOKEN}", PGPASSWORD: "$env:PW", TOKENIZERS_PARALLELISM: "true" },
    ],
    ["headers", { Authorization: "Bearer $env:REMOTE_TOKEN", Cookie: "a=${A}; b=${B}" }],
    ["headers", { CONTEXT7_API_KEY: "$env:CONTEXT7_API_KEY", Accept: "text/plain" }],
  ])("[A8] takes references for credentials: %s %j", async (kind, values) => {
    const entry =
      kind === "env" ? { command: "x", env: values } : { url: "https://x", headers: values };
    expect(await problemsOf(entry)).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ["env", { SERVICE_TOKEN: "literal-secret" }],
    ["env", { apiKey: "literal-secret" }],
    ["env", { SERVICE_TOKEN: "literal-secret${HOME}" }],
    ["headers", { authorization: "Bearer literal-secret" }],
    ["headers", { "X-API-Key": "literal-secret" }],
    ["headers", { Cookie: "a=literal-secret; b=${B}" }],
  ])(
    "[A8] refuses a literal credential at load, without showing it: %s %j",
    async (kind, values) => {
      const entry =
        kind === "env" ? { command: "x", env: values } : { url: "https://x", headers: values };
      const [problem] = await problemsOf(entry);
      expect(problem).toMatch(/must be .*\$\{NAME\}.* marks a credential$/);
      expect(problem).not.toMatch(/literal-secret/);
    },
  );

  it.each(["${X:-y}", "${}", "$env:1A", "x$env:Y", "${X"])(
    "[A7] refuses %j, which starts like a reference and is none, naming the field",
    async (value) => {
      const [problem] = await problemsOf({ command: "x", env: { PLAIN: value } });
      expect(problem).toMatch(/mcpServers\.s\.env\.PLAIN: has text that starts like a reference/);
    },
  );
});
