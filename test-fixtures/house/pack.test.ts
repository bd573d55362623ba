import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTempFolder, repository, run, sampleAios, type TempFolder } from "../src/index.ts";
import { type App, apps, packApp } from "./tarball.ts";

/** Packs an app and installs the tarball alone in an empty folder, as a user's `npm install` would. */
async function installPacked(
  app: App,
  place: string,
  tarballs: Map<string, string>,
): Promise<string> {
  const consumer = join(place, app.folder);
  mkdirSync(consumer);
  const tarball = await packApp(app, place);
  tarballs.set(app.name, tarball);
  writeFileSync(join(consumer, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const installed = await run(
    "npm",
    ["install", "--ignore-scripts", "--offline", "--no-audit", tarball],
    { cwd: consumer },
  );
  expect(installed.status, installed.stderr).toBe(0);
  return consumer;
}

describe("a packed app", () => {
  let place: TempFolder;
  const consumers = new Map<string, string>();
  const tarballs = new Map<string, string>();
  beforeAll(async () => {
    place = createTempFolder();
    for (const app of apps) consumers.set(app.name, await installPacked(app, place.path, tarballs));
  }, 120_000);
  afterAll(() => place[Symbol.asyncDispose]());

  const bin = (app: App, name: string) =>
    join(consumers.get(app.name) as string, "node_modules", ".bin", name);

  it.each(apps)("[W4] $name installs as one package with notices and without sources", (app) => {
    const modules = join(consumers.get(app.name) as string, "node_modules");
    expect(readdirSync(modules).filter((name) => !name.startsWith("."))).toEqual([app.name]);
    const manifest = readFileSync(join(modules, app.name, "package.json"), "utf8");
    expect(JSON.parse(manifest).dependencies ?? {}).toEqual({});
    expect(manifest).not.toMatch(/workspace:|catalog:|@core\/|devDependencies/);
    const papers = ["README.md", "CHANGELOG.md", "LICENSE", "docs"];
    expect(readdirSync(join(modules, app.name))).toEqual(expect.arrayContaining(papers));
    const files = readdirSync(join(modules, app.name, "dist"));
    expect(files).toContain("THIRD_PARTY_NOTICES.txt");
    expect(files.filter((file) => file.endsWith(".map"))).toEqual([]);
  });

  it.each(apps)("[W4] $name has a manifest without a complaint", async ({ name }) => {
    const packed = readFileSync(tarballs.get(name) as string);
    const tarball = new Uint8Array(packed).buffer;
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  it.each(apps.flatMap((app) => app.bins.map((name) => ({ app, name }))))(
    "[W4] $name answers --version and --help from its tarball",
    async ({ app, name }) => {
      const version = await run(bin(app, name), ["--version"]);
      expect(version).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      });
      const help = await run(bin(app, name), ["--help"]);
      expect(help).toMatchObject({ status: 0, stderr: "" });
      expect(help.stdout).toMatch(/Usage: /);
    },
  );

  it("[W4] each answers a real request from its tarball", async () => {
    const [adapter, gateway, aios] = apps as [App, App, App];
    const home = join(place.path, "home");
    mkdirSync(home);
    const env = { PATH: process.env.PATH, HOME: home };

    const status = await run(bin(adapter, "travis234-mcp-adapter"), ["status", "--home", home], {
      env,
    });
    expect(status).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("MCP adapter status"),
    });

    const config = join(place.path, "gateway.yaml");
    writeFileSync(config, "mcp_servers: {}\n");
    const check = await run(bin(gateway, "wraptool"), ["serve", "--check", "--config", config], {
      env,
    });
    expect(check.status, check.stderr).toBe(0);

    const answers = await run(bin(aios, "dotaios-mcp"), ["--path", sampleAios], {
      env,
      input: `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })}\n`,
    });
    expect(answers.stdout).toContain("read_working_context");
  });

  it("[W4] lets a strict consumer compile against the adapter's types", async () => {
    const consumer = consumers.get("travis234-mcp-adapter") as string;
    writeFileSync(
      join(consumer, "consumer.ts"),
      `import { createAdapter } from "travis234-mcp-adapter";
const adapter = await createAdapter({ cwd: "/tmp", home: "/tmp", env: {} });
const answer = await adapter.execute({});
export const failed: boolean = answer.isError;
await adapter[Symbol.asyncDispose]();
`,
    );
    const tsc = join(repository, "node_modules", ".bin", "tsc");
    const flags =
      "--noEmit --strict --module nodenext --target es2023 --lib es2023,dom,esnext.disposable --types";
    const compiled = await run(tsc, [...flags.split(" "), "", "consumer.ts"], { cwd: consumer });
    expect(compiled.stdout).toBe("");
    expect(compiled.status).toBe(0);
  });
});
