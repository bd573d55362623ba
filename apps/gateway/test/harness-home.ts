import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTempFolder, run, startProcess } from "test-fixtures";
import { stringify } from "yaml";
import { bin } from "./gateway-process.ts";

export const TOKEN = "a-token-of-some-length";

/** A home folder with a configuration and a project in it, and `wraptool` run there. */
export interface HarnessHome extends AsyncDisposable {
  /** An absolute path below the home folder; the project is `code`. */
  path(...parts: string[]): string;
  write(path: string, text: string): void;
  read(path: string): string;
  mode(path: string): number;
  /** Runs `wraptool COMMAND` in the project's folder. */
  wraptool(...words: string[]): Promise<{ status: number | null; stdout: string; stderr: string }>;
  /** Serves the configuration until it is disposed. */
  serve(): Promise<AsyncDisposable>;
  git(...words: string[]): Promise<unknown>;
}

export function createHarnessHome(
  {
    server = {},
    mcp = {},
    mcp_servers = {},
  }: { server?: object; mcp?: object; mcp_servers?: object } = {},
  environment: NodeJS.ProcessEnv = {},
): HarnessHome {
  const folder = createTempFolder();
  const path = (...parts: string[]) => join(folder.path, ...parts);
  const env = { PATH: process.env.PATH, HOME: folder.path, NO_COLOR: "1", ...environment };
  const write = (name: string, text: string) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  mkdirSync(path("code"));
  write(
    ".config/wraptool/config.yaml",
    stringify({ server: { auth_token_file: "token", ...server }, mcp, mcp_servers }),
  );
  writeFileSync(path(".config/wraptool/token"), `${TOKEN}\n`, { mode: 0o600 });
  return {
    path,
    write,
    read: (name) => readFileSync(path(name), "utf8"),
    mode: (name) => statSync(path(name)).mode & 0o777,
    wraptool: (...words) => run(process.execPath, [bin, ...words], { cwd: path("code"), env }),
    serve: async () => {
      const daemon = startProcess(process.execPath, [bin, "serve"], { env });
      await daemon.waitFor(/listening on \S+/, "stderr");
      return daemon;
    },
    git: (...words) => run("git", words, { cwd: path("code"), env }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
