import { existsSync, readFileSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createTempFolder, fixtureServer } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { openSession } from "./session.ts";

/** Runners of every kind that do not run anything but a server of ours, once they have written down how they were called. */
const RUNNERS = [
  "npx",
  "npm",
  "pnpm",
  "pnpx",
  "yarn",
  "uv",
  "uvx",
  "bunx",
  "bun",
  "pipx",
  "docker",
];

async function installRunners() {
  const folder = createTempFolder();
  for (const name of RUNNERS) {
    const path = join(folder.path, name);
    const script = `#!/bin/sh\necho "$@" > '${path}.called'\nexec '${process.execPath}' '${fixtureServer("echo")}'\n`;
    await writeFile(path, script);
    await chmod(path, 0o755);
  }
  const calledWith = (name: string) => {
    const file = join(folder.path, `${name}.called`);
    return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
  };
  const env = { PATH: `${folder.path}:${dirname(process.execPath)}:/usr/bin:/bin` };
  return { ...folder, calledWith, env };
}

const entry = (command: string, ...args: string[]) => ({ command, args });
const variable = (server: string, name: string) => ({
  server,
  tool: "environment",
  args: { name },
});

describe.skipIf(process.platform === "win32")("package runners as real processes", () => {
  it.each([
    ["npx", ["-y", "server"], "npm_config_offline", "true"],
    ["npm", ["exec", "--", "server"], "npm_config_offline", "true"],
    ["pnpm", ["dlx", "server"], "pnpm_config_offline", "true"],
    ["pnpx", ["server"], "npm_config_offline", "true"],
    ["yarn", ["dlx", "server"], "YARN_ENABLE_NETWORK", "0"],
    ["uvx", ["server"], "UV_OFFLINE", "1"],
    ["uv", ["tool", "run", "server"], "UV_OFFLINE", "1"],
  ])(
    "[A29] %s %j runs offline with %s=%s, its arguments as they are configured",
    async (...row) => {
      const [command, args, name, value] = row;
      await using runners = await installRunners();
      await using session = await openSession(
        {
          direct: entry(command, ...args),
          shell: entry("sh", "-c", `exec ${command} "$@"`, "sh", ...args),
        },
        { env: runners.env, offline: true },
      );
      for (const server of ["direct", "shell"])
        expect((await session.ask(variable(server, name))).text).toBe(value);
      expect(runners.calledWith(command)).toBe(args.join(" "));
    },
  );

  it("[A29] run without any such setting when the host is not offline", async () => {
    await using runners = await installRunners();
    await using session = await openSession({ npx: entry("npx", "server") }, { env: runners.env });
    expect((await session.ask(variable("npx", "npm_config_offline"))).text).toBe("undefined");
  });

  it.each([
    ["bunx", ["server"]],
    ["bun", ["x", "server"]],
    ["pipx", ["run", "server"]],
    ["docker", ["run", "-i", "image"]],
  ])("[A29] %s %j is refused offline and never started", async (command, args) => {
    await using runners = await installRunners();
    await using session = await openSession(
      {
        direct: entry(command, ...args),
        shell: entry("sh", "-c", `exec ${command} ${args.join(" ")}`),
      },
      { env: runners.env, offline: true },
    );
    for (const server of ["direct", "shell"]) {
      const { text, isError } = await session.ask({ server });
      expect(isError).toBe(true);
      expect(text).toMatch(
        /OFFLINE.*may download what it runs; install the server and name its own command/,
      );
    }
    expect(runners.calledWith(command)).toBeUndefined();
  });
});
