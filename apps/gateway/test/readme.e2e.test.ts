import { readFileSync } from "node:fs";
import { run, send } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { fileSchema } from "../src/config/schema.ts";
import * as limits from "../src/limits.ts";
import { PATHS } from "../src/listener/routes.ts";
import { bin, startGateway } from "./gateway-process.ts";

const page = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
const readme = page("README.md");

/** The rows of the first table below a heading, without its head. */
function tableUnder(text: string, heading: string): string[][] {
  const [, after = ""] = text.split(`\n${heading}\n`);
  const lines = after.split("\n");
  const first = lines.findIndex((line) => line.startsWith("|"));
  const table = lines.slice(first, first + lines.slice(first).findIndex((line) => line[0] !== "|"));
  return table.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim()),
  );
}
const code = (cell = "") => cell.replace(/^`|`$/g, "");

describe("the README", () => {
  it("[G27] lists the paths that are served, and no others", async () => {
    const paths = tableUnder(readme, "## Endpoints").map(([path]) => code(path));
    expect(paths).toEqual([...PATHS]);
    await using gateway = await startGateway({});
    // No path takes this method, and a path that is not served does not get as far.
    for (const path of [...paths, "/none"])
      expect([path, (await send(gateway.url, { path, method: "PUT" })).status]).toEqual([
        path,
        path === "/none" ? 404 : 405,
      ]);
  });

  const reference = tableUnder(readme, "## Configuration");
  /** What stands in the place of a default. */
  const WORDS = new Set(["none", "required", "in the state folder", "where `serve` was started"]);
  it.each(reference.map(([key, value]) => [code(key), value ?? ""] as const))(
    "[G27] tells the default of %s as the schema has it",
    (key, told) => {
      const settings = { mcp_servers: { NAME: { command: "x" } }, audit: { file: "x" } };
      const value = fileSchema.parse(structuredClone(settings));
      if (WORDS.has(told)) {
        const isGiven = key === "mcp_servers.NAME.command" || key === "audit.file";
        expect([key, isGiven || read(value, key) === undefined]).toEqual([key, true]);
      } else if (told.startsWith("as `")) expect(read(value, key)).toBeUndefined();
      else expect(fileSchema.parse(withValue(settings, key, parse(code(told))))).toEqual(value);
    },
  );

  it("[G27] lists the commands that there are", async () => {
    const { stdout } = await run(process.execPath, [bin, "--help"]);
    const [, after = ""] = stdout.split(/^Commands:$/m);
    const [list = ""] = after.split(/\n\n/);
    const names = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
    const told = tableUnder(readme, "## Commands").map(([cell]) => code(cell).split(" ")[1]);
    expect([...new Set(told)].sort()).toEqual(names.filter((name) => name !== "help").sort());
  });

  it("[G27] says what is a secret, what a client controls, how containers connect and what cannot be done", () => {
    for (const sentence of [
      "Generated client files and the token file are secrets.",
      "`?cwd=` is what the client says: a container can name any folder inside the allowed roots.",
      "docs/containers.md",
    ])
      expect(readme).toContain(sentence);
    const [, limitations = ""] = readme.split("\n## Current limitations\n");
    for (const sentence of [
      "No wrapped command-line tools, no capability requests, no web page.",
      "Binary content is not scrubbed.",
    ])
      expect(limitations).toContain(sentence);
  });
});

describe("docs/security.md", () => {
  it("[G27] has the bounds that the gateway has", () => {
    const seconds = (ms: number) => `${ms / 1000} s`;
    const mib = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
    const bounds = Object.fromEntries(tableUnder(page("docs/security.md"), "## Bounds"));
    expect(bounds).toMatchObject({
      "a request": `\`server.max_body\`; ${seconds(limits.HEADERS_TIMEOUT_MS)} for its headers, ${seconds(limits.REQUEST_TIMEOUT_MS)} in all`,
      "what is kept of answers": `${limits.MAX_SESSION_SPILLS} a session, ${mib(limits.SPILL_QUOTA_BYTES)} in all, the session's oldest go first`,
      restarts: `${limits.RESTART_FLOOR_MS} ms and doubling; after ${limits.MAX_ENDS_IN_WINDOW} ends in a minute none for ${seconds(limits.RESTART_PAUSE_MS)}`,
    });
    expect(limits.MAX_TIMEOUT_RESETS).toBe(10);
    expect(bounds["a call"]).toBe("`timeout`, with progress ten times that");
    const { KEEP_ALIVE_MS, MAX_HEADER_BYTES, HEADERS_TIMEOUT_MS, REQUEST_TIMEOUT_MS } = limits;
    expect(readme).toContain(
      `Headers must come within ${seconds(HEADERS_TIMEOUT_MS)} and ${MAX_HEADER_BYTES / 1024} KiB, a whole request within ${seconds(REQUEST_TIMEOUT_MS)}; streams get a comment each ${seconds(KEEP_ALIVE_MS)}`,
    );
  });
});

function read(value: unknown, key: string): unknown {
  return key
    .split(".")
    .reduce((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);
}

function withValue(settings: object, key: string, value: unknown): object {
  const changed = structuredClone(settings) as Record<string, never>;
  const names = key.split(".");
  let at: Record<string, unknown> = changed;
  for (const name of names.slice(0, -1)) {
    at[name] ??= {};
    at = at[name] as Record<string, unknown>;
  }
  at[names.at(-1) ?? ""] = value;
  return changed;
}
