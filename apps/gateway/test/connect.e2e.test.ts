import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Dialled, type Reading, readings } from "./clients-readings.ts";
import { fixture, type GatewayProcess, startGateway, textOf } from "./gateway-process.ts";
import { createHarnessHome, type HarnessHome, TOKEN } from "./harness-home.ts";

/** The environment in which a client is started to whose entry the token is a variable. */
const variables = { WRAPTOOL_TOKEN: TOKEN };

function transportOf(dialled: Dialled) {
  if (dialled.kind === "stdio") {
    const { command, args } = dialled;
    return new StdioClientTransport({ command, args, stderr: "ignore" });
  }
  const options = { requestInit: { headers: dialled.headers } };
  const at = new URL(dialled.url);
  return dialled.kind === "sse"
    ? new SSEClientTransport(at, options)
    : new StreamableHTTPClientTransport(at, options);
}

/** Calls a tool as the client would with its entry. */
async function callEcho(dialled: Dialled): Promise<string | undefined> {
  const client = new Client({ name: "harness", version: "1" });
  // The SDK's own types differ under exactOptionalPropertyTypes.
  await client.connect(transportOf(dialled) as Parameters<Client["connect"]>[0]);
  try {
    return textOf(await client.callTool({ name: "echo", arguments: { text: "through" } }));
  } finally {
    await client.close();
  }
}

/** What the client of a harness does with the entry that init wrote. */
function readEntry(home: HarnessHome, harness: string): Dialled {
  const { file, scope, read } = readings[harness]!;
  return read(home.read(scope === "global" ? file : `code/${file}`), variables);
}

const folderOf = (dialled: Dialled) =>
  dialled.kind === "stdio"
    ? dialled.args[dialled.args.indexOf("--cwd") + 1]
    : new URL(dialled.url).searchParams.get("cwd");

/** The ways in which init writes entries, and the harnesses that take them. */
const ways = [
  { scope: "project", form: "literal", path: "/mcp" },
  { scope: "project", form: "reference", path: "/sse" },
  { scope: "global", form: "literal", path: "/sse" },
  { scope: "global", form: "reference", path: "/mcp" },
].map((way) => {
  const takes = ([, { scope, literalOnly }]: [string, Reading]) =>
    scope === way.scope && !(literalOnly && way.form === "reference");
  return {
    ...way,
    harnesses: Object.entries(readings)
      .filter(takes)
      .map(([id]) => id),
  };
});

describe.each(ways)("an entry that init wrote: $scope, $form, $path", (way) => {
  const { scope, form, path, harnesses } = way;
  let home: HarnessHome;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    home = createHarnessHome();
    gateway = await startGateway({
      server: { auth_token_file: home.path(".config/wraptool/token") },
      mcp_servers: { echo: fixture("echo", ["echo"]) },
    });
    const url = new URL(path, gateway.url).href;
    const flags = scope === "global" ? ["--global"] : [];
    const named = ["--harness", harnesses.join(","), "--url", url, "--token", form];
    const ran = await home.wraptool("init", ...named, ...flags);
    expect([ran.status, ran.stderr]).toEqual([0, ""]);
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });

  it.each(harnesses)("[G21] reaches a tool as %s reads it", async (harness) => {
    const dialled = readEntry(home, harness);
    if (scope === "project") expect(folderOf(dialled)).toBe(home.path("code"));
    expect(await callEcho(dialled)).toContain("through");
  });
});

describe("a configuration", () => {
  it("[G21] becomes working entries of five harnesses by two commands, serve and init", async () => {
    const listen = `127.0.0.1:${await freePort()}`;
    const mcp_servers = { echo: fixture("echo", ["echo"]) };
    await using home = createHarnessHome({ server: { listen }, mcp_servers });
    await using _ = await home.serve();
    const harnesses = ["claude", "codex", "cursor", "opencode", "gemini"];
    const ran = await home.wraptool("init", "--harness", harnesses.join(","));
    expect([ran.status, ran.stderr]).toEqual([0, ""]);
    for (const harness of harnesses) {
      expect(ran.stdout).toContain(`${harness}: added to ${home.path("code")}`);
      expect(await callEcho(readEntry(home, harness))).toContain("through");
    }
    expect(ran.stdout.match(/^ {2}next: /gm)?.length).toBe(harnesses.length);
  });

  it("[G21] becomes a working bridge where the daemon serves a socket only", async () => {
    const mcp_servers = { echo: fixture("echo", ["echo"]) };
    await using home = createHarnessHome({ server: { transport: "unix" }, mcp_servers });
    await using _ = await home.serve();
    await home.wraptool("init", "--harness", "claude,goose", "--global");
    const { command, args } = JSON.parse(home.read(".claude.json")).mcpServers.wraptool;
    expect(await callEcho({ kind: "stdio", command, args })).toContain("through");
    expect(home.read(".config/goose/config.yaml")).toContain(`cmd: ${command}`);
  });
});

/** A port on which nobody listens; an entry names it before the gateway does. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
