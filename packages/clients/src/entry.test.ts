import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildEntry, type ClientEntry, readEntry } from "./entry.ts";
import type { ClientRow } from "./row.ts";
import { clients, findClient } from "./table.ts";

const runs = Number(process.env.FUZZ_RUNS ?? 50);
const url = "http://127.0.0.1:8717/mcp";
const reference = { variable: "WRAPTOOL_TOKEN" };
const literal = { literal: "abcdef" };
const bearer = (value: string) => ({ Authorization: `Bearer ${value}` });

const gooseHttp = (headers: object, ...variables: string[]) => ({
  ...{ enabled: true, type: "streamable_http", name: "wt", description: "wt", uri: url, headers },
  ...{ env_keys: variables, envs: {}, timeout: 300 },
});
const continueHttp = (headers: object) => ({
  ...{ name: "wt", type: "streamable-http", url, requestOptions: { headers } },
});

it.each([
  ["amp", { url, headers: bearer("abcdef") }],
  ["antigravity", { serverUrl: url, headers: bearer("abcdef") }],
  ["cline", { type: "streamableHttp", url, headers: bearer("abcdef") }],
  ["continue", continueHttp(bearer("abcdef"))],
  ["copilot", { type: "http", url, headers: bearer("abcdef") }],
  ["crush", { type: "http", url, headers: bearer("abcdef") }],
  ["devin", { url, transport: "http", headers: bearer("abcdef") }],
  ["goose", gooseHttp(bearer("abcdef"))],
  ["kiro", { url, headers: bearer("abcdef") }],
  ["qwen", { httpUrl: url, headers: bearer("abcdef") }],
  ["vscode", { type: "http", url, headers: bearer("abcdef") }],
  ["windsurf", { serverUrl: url, headers: bearer("abcdef") }],
  ["zed", { url, headers: bearer("abcdef") }],
  ["claude", { type: "http", url, headers: bearer("abcdef") }],
  ["codex", { url, http_headers: bearer("abcdef") }],
  ["cursor", { url, headers: bearer("abcdef") }],
  ["gemini", { url, type: "http", headers: bearer("abcdef") }],
  ["kimi", { transport: "http", url, headers: bearer("abcdef") }],
  ["opencode", { type: "remote", url, enabled: true, oauth: false, headers: bearer("abcdef") }],
  ["pi", { url, headers: bearer("abcdef") }],
  ["roo", { type: "streamable-http", url, headers: bearer("abcdef") }],
])("[G21] %s gets a URL and a literal token as %j", (id, members) => {
  const entry = buildEntry(findClient(id)!, "wt", { kind: "http", url, token: literal });
  expect(Object.entries(entry)).toEqual(Object.entries(members));
});

it.each([
  ["amp", { url, headers: bearer("$" + "{WRAPTOOL_TOKEN}") }],
  ["cline", { type: "streamableHttp", url, headers: bearer("$" + "{env:WRAPTOOL_TOKEN}") }],
  ["continue", continueHttp(bearer("$" + "{{ secrets.WRAPTOOL_TOKEN }}"))],
  ["copilot", { type: "http", url, headers: bearer("$" + "{WRAPTOOL_TOKEN}") }],
  ["crush", { type: "http", url, headers: bearer("$WRAPTOOL_TOKEN") }],
  ["goose", gooseHttp(bearer("$" + "{WRAPTOOL_TOKEN}"), "WRAPTOOL_TOKEN")],
  ["kiro", { url, headers: bearer("$" + "{WRAPTOOL_TOKEN}") }],
  ["qwen", { httpUrl: url, headers: bearer("$" + "{WRAPTOOL_TOKEN}") }],
  ["vscode", { type: "http", url, headers: bearer("$" + "{env:WRAPTOOL_TOKEN}") }],
  ["windsurf", { serverUrl: url, headers: bearer("$" + "{env:WRAPTOOL_TOKEN}") }],
  ["claude", { type: "http", url, headers: bearer("$" + "{WRAPTOOL_TOKEN}") }],
  ["codex", { url, bearer_token_env_var: "WRAPTOOL_TOKEN" }],
  ["cursor", { url, headers: bearer("$" + "{env:WRAPTOOL_TOKEN}") }],
  ["gemini", { url, type: "http", headers: bearer("$" + "{WRAPTOOL_TOKEN}") }],
  ["kimi", { transport: "http", url, bearerTokenEnvVar: "WRAPTOOL_TOKEN" }],
  [
    "opencode",
    { type: "remote", url, enabled: true, oauth: false, headers: bearer("{env:WRAPTOOL_TOKEN}") },
  ],
  ["pi", { url, auth: "bearer", bearerTokenEnv: "WRAPTOOL_TOKEN" }],
  ["roo", { type: "streamable-http", url, headers: bearer("$" + "{env:WRAPTOOL_TOKEN}") }],
])("[G22] %s gets a token by its variable as %j", (id, members) => {
  const entry = buildEntry(findClient(id)!, "wt", { kind: "http", url, token: reference });
  expect(Object.entries(entry)).toEqual(Object.entries(members));
});

it.each([
  ["amp", { url }],
  ["cline", { type: "sse", url }],
  ["continue", { name: "wt", type: "sse", url }],
  ["copilot", { type: "sse", url }],
  ["crush", { type: "sse", url }],
  ["devin", { url, transport: "sse" }],
  ["kiro", { url }],
  ["qwen", { url }],
  ["vscode", { type: "sse", url }],
  ["windsurf", { serverUrl: url }],
  ["claude", { type: "sse", url }],
  ["cursor", { url }],
  ["gemini", { url, type: "sse" }],
  ["kimi", { transport: "sse", url }],
  ["opencode", { type: "remote", url, enabled: true, oauth: false }],
  ["pi", { url, httpTransport: "sse" }],
  ["roo", { type: "sse", url }],
])("[G21] %s is told of SSE as %j", (id, members) => {
  expect(buildEntry(findClient(id)!, "wt", { kind: "sse", url })).toEqual(members);
});

it.each([
  ...["amp", "antigravity", "claude", "cline", "codex", "cursor", "devin", "gemini", "junie"],
  ...["kimi", "kiro", "pi", "qwen", "roo", "windsurf", "zed"],
])("[S24] %s gets a command and its arguments, and no type", (id) => {
  const entry = buildEntry(findClient(id)!, "wt", {
    kind: "stdio",
    command: "npx",
    args: ["-y", "x"],
  });
  expect(entry).toEqual({ command: "npx", args: ["-y", "x"] });
});

it("[S24] opencode gets one array of command and arguments", () => {
  const entry = buildEntry(findClient("opencode")!, "wt", {
    kind: "stdio",
    command: "npx",
    args: ["-y"],
  });
  expect(entry).toEqual({ type: "local", command: ["npx", "-y"], enabled: true });
});

it.each(["copilot", "crush", "vscode"])("[G21] %s is told that a program speaks stdio", (id) => {
  const entry = buildEntry(findClient(id)!, "wt", { kind: "stdio", command: "npx", args: ["-y"] });
  expect(entry).toEqual({ type: "stdio", command: "npx", args: ["-y"] });
});

it("[G21] continue and goose are told the name and the kind of a program", () => {
  const entry = { kind: "stdio", command: "npx", args: ["-y"] } as const;
  const program = { name: "wt", type: "stdio", args: ["-y"] };
  expect(buildEntry(findClient("continue")!, "wt", entry)).toEqual({ ...program, command: "npx" });
  expect(buildEntry(findClient("goose")!, "wt", entry)).toEqual({
    ...{ ...program, cmd: "npx", enabled: true, description: "wt" },
    ...{ env_keys: [], envs: {}, timeout: 300 },
  });
});

it("[G21] what a client does not speak is refused, since its row says so", () => {
  for (const id of ["antigravity", "codex", "goose", "junie", "zed"])
    expect(() => buildEntry(findClient(id)!, "wt", { kind: "sse", url })).toThrow(RangeError);
  expect(() => buildEntry(findClient("junie")!, "wt", { kind: "http", url })).toThrow(RangeError);
  const byVariable = { kind: "http", url, token: reference } as const;
  for (const id of ["antigravity", "devin", "zed"])
    expect(() => buildEntry(findClient(id)!, "wt", byVariable)).toThrow(RangeError);
});

describe.each(clients)("$id", (row) => {
  const word = fc.string({ minLength: 1, unit: "binary" });
  const token = fc.option(
    fc.oneof(
      fc.record({ literal: fc.stringMatching(/^[\w-]{6,40}$/) }),
      ...(row.reference ? [fc.record({ variable: fc.stringMatching(/^[A-Z_]{1,12}$/) })] : []),
    ),
    { nil: undefined },
  );
  const kinds = (["http", "sse"] as const).filter((kind) => row[kind] !== undefined);
  const entry: fc.Arbitrary<ClientEntry> = fc.oneof(
    ...kinds.map((kind) =>
      fc.record({ url: word, token }).map(({ token: given, url }) => ({
        ...{ kind, url },
        ...(given && { token: given }),
      })),
    ),
    fc.record({ kind: fc.constant("stdio" as const), command: word, args: fc.array(word) }),
  );

  it("[G22] [P3] an entry of ours is read as what it was written from", () => {
    fc.assert(
      fc.property(entry, (given) => {
        const written = buildEntry(row, "wt", given);
        const read = readEntry(row, "wt", written)!;
        expect(buildEntry(row, "wt", read)).toEqual(written);
        if (given.kind !== "sse") expect(read).toEqual(given);
      }),
      { numRuns: runs },
    );
  });

  it("[G22] [S23] one member more, less or other makes an entry foreign", () => {
    fc.assert(
      fc.property(entry, fc.nat(), (given, pick) => {
        const written = buildEntry(row, "wt", given);
        const keys = Object.keys(written);
        const key = keys[pick % keys.length]!;
        expect(readEntry(row, "wt", { ...written, timeout: 1 })).toBeUndefined();
        expect(readEntry(row, "wt", { ...written, [key]: { odd: true } })).toBeUndefined();
        const { [key]: _, ...less } = written;
        const rest = readEntry(row, "wt", less);
        if (rest !== undefined) expect(buildEntry(row, "wt", rest)).toEqual(less);
      }),
      { numRuns: runs },
    );
  });

  it("[G22] what is no map of members is foreign", () => {
    const odd = [
      undefined,
      null,
      1,
      "x",
      [],
      [[]],
      {},
      { command: 1 },
      { url: 1 },
      { command: [] },
    ];
    for (const value of odd) expect(readEntry(row, "wt", value)).toBeUndefined();
  });
});

it("[G21] a client that wants the name, other types or lists in its entry needs no more than a row", () => {
  const row: ClientRow = {
    ...findClient("cursor")!,
    http: { name: "<name>", uri: "<url>", tools: ["*"], timeout: 300, headers: "<headers>" },
    reference: { kind: "text", before: "$", after: "" },
  };
  const entry: ClientEntry = { kind: "http", url, token: reference };
  const written = buildEntry(row, "wt", entry);
  expect(written).toEqual({
    name: "wt",
    uri: url,
    tools: ["*"],
    timeout: 300,
    headers: bearer("$WRAPTOOL_TOKEN"),
  });
  expect(readEntry(row, "wt", written)).toEqual(entry);
  expect(readEntry(row, "other", written)).toBeUndefined();
});
