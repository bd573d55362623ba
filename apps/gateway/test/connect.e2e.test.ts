import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseClientDocument } from "@core/clients";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createTempFolder } from "test-fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixture, type GatewayProcess, startGateway, textOf } from "./gateway-process.ts";
import { createHarnessHome, TOKEN } from "./harness-home.ts";

/** How a client dials the server of an entry, as its documentation has it. */
interface Dialled {
  readonly kind: "http" | "sse";
  readonly url: string;
  readonly headers: Record<string, string>;
}

type Entry = Record<string, unknown> & {
  type?: string;
  url?: string;
  headers?: Record<string, string>;
};

interface CodexEntry {
  readonly url: string;
  readonly bearer_token_env_var?: string;
  readonly http_headers?: Record<string, string>;
}

/** The client's environment. */
const variables: Readonly<Record<string, string>> = { WRAPTOOL_TOKEN: TOKEN };

function expand(headers: Record<string, string> | undefined, pattern: RegExp) {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [
      name,
      value.replace(pattern, (_, variable: string) => variables[variable] ?? ""),
    ]),
  );
}

/** The harnesses' own readings of their files. */
const readings: Readonly<Record<string, { file: string; read(text: string): Dialled }>> = {
  claude: {
    file: ".mcp.json",
    read(text) {
      const { type, url, headers } = JSON.parse(text).mcpServers.wraptool as Entry;
      if (type !== "http" && type !== "sse") throw new Error("Claude Code skips the entry");
      return { kind: type, url: url!, headers: expand(headers, /\$\{(\w+)\}/g) };
    },
  },
  codex: {
    file: ".codex/config.toml",
    read(text) {
      const document = parseClientDocument(text, { file: "config.toml", format: "toml" });
      const entry = document.get(["mcp_servers", "wraptool"]) as CodexEntry;
      const { url, bearer_token_env_var: name, http_headers: fixed } = entry;
      const bearer = name === undefined ? {} : { Authorization: `Bearer ${variables[name]}` };
      return { kind: "http", url, headers: { ...fixed, ...bearer } };
    },
  },
  cursor: {
    file: ".cursor/mcp.json",
    read(text) {
      const { url, headers } = JSON.parse(text).mcpServers.wraptool as Entry;
      return { kind: "http", url: url!, headers: expand(headers, /\$\{env:(\w+)\}/g) };
    },
  },
  opencode: {
    file: "opencode.json",
    read(text) {
      const { type, url, headers, enabled } = JSON.parse(text).mcp.wraptool as Entry;
      if (type !== "remote" || enabled !== true) throw new Error("OpenCode does not connect");
      return { kind: "http", url: url!, headers: expand(headers, /\{env:(\w+)\}/g) };
    },
  },
  gemini: {
    file: ".gemini/settings.json",
    read(text) {
      const { type, url, headers } = JSON.parse(text).mcpServers.wraptool as Entry;
      const kind = type === "sse" ? "sse" : "http";
      return { kind, url: url!, headers: expand(headers, /\$\{(\w+)\}/g) };
    },
  },
};

/** Calls a tool as the client would with its entry. */
async function callEcho({ kind, url, headers }: Dialled): Promise<string | undefined> {
  const client = new Client({ name: "harness", version: "1" });
  const options = { requestInit: { headers } };
  const at = new URL(url);
  const transport =
    kind === "sse"
      ? new SSEClientTransport(at, options)
      : new StreamableHTTPClientTransport(at, options);
  // The SDK's own types differ under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  try {
    return textOf(await client.callTool({ name: "echo", arguments: { text: "through" } }));
  } finally {
    await client.close();
  }
}

describe("an entry that init wrote", () => {
  const secrets = createTempFolder();
  let gateway: GatewayProcess;
  beforeAll(async () => {
    const tokenFile = join(secrets.path, "token");
    writeFileSync(tokenFile, `${TOKEN}\n`, { mode: 0o600 });
    gateway = await startGateway({
      server: { auth_token_file: tokenFile },
      mcp_servers: { echo: fixture("echo", ["echo"]) },
    });
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await secrets[Symbol.asyncDispose]();
  });

  const cases = Object.keys(readings).flatMap((harness) => [
    { harness, form: "literal", path: "/mcp" },
    { harness, form: "reference", path: "/sse" },
  ]);

  it.each(cases)(
    "[G21] reaches a tool as $harness reads it: $form, $path",
    async ({ harness, form, path }) => {
      await using home = createHarnessHome();
      const url = new URL(path, gateway.url).href;
      const flags = ["--harness", harness, "--url", url, "--token", form];
      const ran = await home.wraptool("init", ...flags);
      expect([ran.status, ran.stderr]).toEqual([0, ""]);
      const { file, read } = readings[harness]!;
      const dialled = read(home.read(`code/${file}`));
      expect(new URL(dialled.url).searchParams.get("cwd")).toBe(home.path("code"));
      expect(await callEcho(dialled)).toContain("through");
    },
  );
});
