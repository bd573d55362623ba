import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { buildEnvironment } from "./environment.ts";

describe("buildEnvironment", () => {
  it("[G13] takes the minimal environment, then env files in order, then env", async () => {
    await using folder = createTempFolder();
    const file = (name: string, text: string) => {
      const path = join(folder.path, name);
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    };
    const envFiles = [file("one", "A=1\nB=$HOME\nC=1\n"), file("two", "B=2\nHOME=/two\n")];
    const { variables, problem } = buildEnvironment(
      { envFiles, env: { C: "3" } },
      { HOME: "/home/me", PATH: "/bin", SECRET_OF_THE_SHELL: "x", NODE_OPTIONS: "--inspect" },
    );
    expect(problem).toBeUndefined();
    expect(variables).toEqual({ PATH: "/bin", HOME: "/two", A: "1", B: "2", C: "3" });
  });

  it("names every value of env files and the credential-named variables as secrets", async () => {
    await using folder = createTempFolder();
    const path = join(folder.path, "env");
    writeFileSync(path, "PLAIN=from-the-file\n", { mode: 0o600 });
    const { secrets } = buildEnvironment(
      { envFiles: [path], env: { LOG_LEVEL: "info", API_TOKEN: "hunter22" } },
      {},
    );
    expect(secrets).toEqual([
      { name: "PLAIN", value: "from-the-file" },
      { name: "API_TOKEN", value: "hunter22" },
    ]);
  });

  it("[G13] tells which env file is missing or open to others", async () => {
    await using folder = createTempFolder();
    const path = join(folder.path, "env");
    const problem = () => buildEnvironment({ envFiles: [path], env: {} }, {}).problem;
    expect(problem()?.message).toContain(path);
    writeFileSync(path, "A=1\n", { mode: 0o644 });
    expect(problem()?.message).toMatch(/chmod 600/);
  });
});
