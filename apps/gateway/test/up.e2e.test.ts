import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  CANARY,
  createTempFolder,
  findCanary,
  type Ran,
  run,
  startProcess,
  type TempFolder,
} from "test-fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statePath } from "../src/daemon/record.ts";
import { bin, fixture, type GatewayProcess, startGateway } from "./gateway-process.ts";

const standIn = fileURLToPath(new URL("runtime/run.mjs", import.meta.url));
const agent = fileURLToPath(new URL("clients/in-container.mjs", import.meta.url));

/** A home folder with a token, a project, and runtimes on the PATH that run commands here instead of in a container. */
interface UpHome extends AsyncDisposable {
  readonly path: string;
  readonly project: string;
  readonly tokenFile: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Writes the project's `.devcontainer/devcontainer.json`, and gives its path. */
  writeDevContainer(content: object): string;
  /** Runs `wraptool up WORDS` in the project's folder. */
  up(...words: string[]): Promise<Up>;
}

interface Up extends Ran {
  /** How the runtime was called; undefined if it was not. */
  readonly call: { runtime: string; argv: string[]; variables: string[] } | undefined;
}

function createUpHome(runtimes: readonly string[] = ["docker"]): UpHome {
  const folder: TempFolder = createTempFolder();
  const path = (name: string) => join(folder.path, name);
  for (const name of ["project", "bin"]) mkdirSync(path(name));
  writeFileSync(path("token"), `${CANARY}\n`, { mode: 0o600 });
  for (const name of runtimes) {
    const words = [process.execPath, standIn, name].map((word) => `'${word}'`);
    writeFileSync(path(`bin/${name}`), `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`, {
      mode: 0o755,
    });
  }
  const environment = {
    ...{ PATH: path("bin"), HOME: folder.path, NO_COLOR: "1", OWN: "mine" },
    ...{ XDG_STATE_HOME: path("state"), HUSH: CANARY },
  };
  return {
    path: folder.path,
    project: path("project"),
    tokenFile: path("token"),
    environment,
    writeDevContainer(content) {
      mkdirSync(path("project/.devcontainer"), { recursive: true });
      const file = path("project/.devcontainer/devcontainer.json");
      writeFileSync(file, `// of a test\n${JSON.stringify(content)}`);
      return file;
    },
    async up(...words) {
      const place = mkdtempSync(path("run-"));
      const env = { ...environment, RUNTIME_FOLDER: place };
      const ran = await run(process.execPath, [bin, "up", ...words], { cwd: path("project"), env });
      const call = join(place, "call.json");
      return {
        ...ran,
        call: existsSync(call) ? JSON.parse(readFileSync(call, "utf8")) : undefined,
      };
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** The files below a folder that hold the token in any form; links are not followed. */
function filesWithCanary(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => findCanary(readFileSync(file, "utf8")).length > 0);
}

// Elsewhere containers live in a virtual machine, and reach and mounts differ as the tests of src/up say.
const onLinux = process.platform === "linux" ? describe.concurrent : describe.skip;

onLinux("wraptool up, with a daemon that runs", () => {
  let gateway: GatewayProcess;
  let home: UpHome;
  beforeAll(async () => {
    home = createUpHome(["docker", "podman"]);
    gateway = await startGateway(
      {
        server: { transport: ["sse", "unix"], auth_token_file: home.tokenFile },
        mcp: { allowed_cwd_roots: [home.project] },
        mcp_servers: {
          echo: fixture("echo", ["folder"], { isolation: "session", working_dir: "session" }),
        },
      },
      { XDG_STATE_HOME: join(home.path, "state") },
    );
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });

  const up = (...words: string[]) => home.up("--config", gateway.file, ...words);
  const expectHidden = ({ stdout, stderr, call }: Up) => {
    expect(findCanary(stdout + stderr + JSON.stringify(call))).toEqual([]);
    expect(filesWithCanary(home.path)).toEqual([home.tokenFile]);
    expect(filesWithCanary(gateway.folder)).toEqual([]);
  };
  const there = (runtime: "docker" | "podman") => {
    const name = { docker: "host.docker.internal", podman: "host.containers.internal" }[runtime];
    return `http://${name}:${gateway.url.port}/mcp`;
  };

  it.each(["docker", "podman"] as const)(
    "[G23] lets an agent in a container of %s call a tool over TCP, in the folder of its worktree",
    async (runtime) => {
      const flags = ["--runtime", runtime, "--url", there(runtime)];
      const ran = await up(...flags, "--image", "image", "--", "node", agent);
      expect(ran).toMatchObject({ status: 0, stdout: `${home.project}\n`, stderr: "" });
      expect(ran.call?.runtime).toBe(runtime);
      expect(ran.call?.argv.slice(-3)).toEqual(["image", "node", agent]);
      expect(ran.call?.argv).toContain("WRAPTOOL_TOKEN");
      expect(ran.call?.variables).toEqual(expect.arrayContaining(["OWN", "WRAPTOOL_TOKEN"]));
      expectHidden(ran);
    },
  );

  it("[G23] brings a bridge along that needs nothing but node and its mounts, and reaches a tool over the socket", async () => {
    const dry = await up("--bridge", "--dry-run", "--json", "--image", "image");
    const { bridge, reach } = JSON.parse(dry.stdout);
    expect(reach).toBe("socket");
    const ran = await up("--bridge", "--image", "image", "--", "node", agent, ...bridge);
    expect([ran.status, ran.stdout]).toEqual([0, `${home.project}\n`]);
    expect(ran.stderr).toBe(
      `An agent in the container starts the gateway with: ${bridge.join(" ")}\n`,
    );
    expect(ran.call?.variables).not.toContain("WRAPTOOL_TOKEN");
    expectHidden(ran);
  });

  it.each([
    ["TCP", () => ["--url", there("docker")], ["node", bin]],
    ["the socket", () => ["--bridge", "--token", "name"], ["node", "/run/wraptool/dist/cli.js"]],
  ])("[G23] [G24] sets all that `wraptool bridge` alone needs over %s", async (_, flags, words) => {
    const command = ["node", agent, "--whole", ...words, "bridge"];
    const ran = await up(...flags(), "--image", "image", "--", ...command);
    expect([ran.status, ran.stdout]).toEqual([0, `${home.project}\n`]);
    expectHidden(ran);
  });

  it("[G23] takes image, variables, user, mounts and options from a dev container's file, and wins over it", async () => {
    home.writeDevContainer({
      image: "image",
      containerEnv: {
        ...{ FOLDER: "${containerWorkspaceFolder}", GIVEN: "${localEnv:HUSH}" },
        ...{ WRAPTOOL_URL: "http://127.0.0.1:1/mcp", WRAPTOOL_TOKEN: "other" },
      },
      runArgs: ["-e", "WRAPTOOL_URL=http://127.0.0.1:1/mcp", "-e", "WRAPTOOL_TOKEN=other"],
      remoteUser: "node",
      mounts: ["type=volume,source=cache,target=/cache"],
    });
    const flags = ["--devcontainer", home.project, "--url", there("docker")];
    const ran = await up(...flags, "--", "node", agent);
    expect(ran).toMatchObject({ status: 0, stdout: `${home.project}\n`, stderr: "" });
    const argv = ran.call?.argv.join(" ");
    expect(argv).toContain(`-e FOLDER=${home.project} -e GIVEN --user node`);
    expect(argv).toContain("--mount type=volume,source=cache,target=/cache");
    expect(ran.call?.variables).toContain("GIVEN");
    expectHidden(ran);
    const show = "console.log(process.env.GIVEN === process.env.WRAPTOOL_TOKEN)";
    const shown = await up(...flags, "--", "node", "-e", show);
    expect(shown.stdout).toBe("true\n");
    const dry = await up(...flags, "--dry-run");
    expect(dry.stderr).toContain("Set by up from containerEnv, by name: GIVEN\n");
    expectHidden(dry);
  });

  it.each([0, 7])("[G23] ends with the container's exit code %i", async (code) => {
    const ran = await up(
      "--bridge",
      "--image",
      "image",
      "--",
      "node",
      "-e",
      `process.exit(${code})`,
    );
    expect(ran.status).toBe(code);
  });

  it("[G23] [W9] ends with 128 + n where signal n ended the runtime", async () => {
    const kill = "process.kill(process.ppid, 'SIGKILL')";
    expect((await up("--bridge", "--image", "image", "--", "node", "-e", kill)).status).toBe(137);
  });

  it("[G23] gives the container its input and output, and no terminal where there is none", async () => {
    const shout = "process.stdin.on('data', (text) => console.log(String(text).toUpperCase()))";
    const place = home.project;
    const asked = ["--bridge", "--image", "image", "--", "node", "-e", shout];
    const words = ["up", "--config", gateway.file, ...asked];
    const ran = await run(process.execPath, [bin, ...words], {
      ...{ cwd: place, env: { ...home.environment, RUNTIME_FOLDER: place }, input: "heard" },
    });
    expect(ran.stdout).toBe("HEARD\n");
    expect(JSON.parse(readFileSync(join(place, "call.json"), "utf8")).argv).toContain("-i");
  });

  it("[G23] asks for a terminal on a terminal", async () => {
    const words = [process.execPath, bin, "up", "--config", gateway.file, "--bridge", "--dry-run"];
    const spawn = `import pty, sys; sys.exit(pty.spawn(${JSON.stringify([...words, "--image", "image"])}))`;
    const ran = await run("python3", ["-c", spawn], {
      ...{
        cwd: home.project,
        env: { ...home.environment, PATH: `${home.environment.PATH}:${process.env.PATH}` },
      },
    });
    expect(ran.stdout).toContain("docker run --rm -it ");
  });

  it("[G23] passes SIGTERM on to the container and waits for its end", async () => {
    const wait =
      "process.on('SIGTERM', () => process.exit(9)); setInterval(() => {}, 1000); console.log('ready')";
    await using place = createTempFolder();
    await using running = startProcess(
      process.execPath,
      [
        bin,
        "up",
        "--config",
        gateway.file,
        "--bridge",
        "--image",
        "image",
        "--",
        "node",
        "-e",
        wait,
      ],
      { cwd: home.project, env: { ...home.environment, RUNTIME_FOLDER: place.path } },
    );
    await running.waitFor(/ready/);
    running.child.kill("SIGTERM");
    expect(await running.exited).toEqual({ status: 9, signal: null });
  });

  it("[G23] passes words for the runtime on as they come, before the image", async () => {
    const own = ["--run-arg=-e", "--run-arg", "A=1", "--run-arg=--gpus=all"];
    const flags = ["--bridge", "--dry-run", "--json", "--image", "image"];
    const { stdout } = await up(...flags, ...own, "--", "a", "--run-arg=b");
    expect(JSON.parse(stdout).command.slice(-6)).toEqual([
      ...["-e", "A=1", "--gpus=all", "image", "a", "--run-arg=b"],
    ]);
  });

  it("[G23] prints exactly what it would run, and runs nothing", async () => {
    const flags = ["--url", there("docker"), "--image", "image", "--", "echo", "it's"];
    const [plain, json] = await Promise.all([
      up("--dry-run", ...flags),
      up("--dry-run", "--json", ...flags),
    ]);
    const url = `${there("docker")}?cwd=${encodeURIComponent(home.project)}`;
    const { command, ...rest } = JSON.parse(json.stdout);
    expect(rest).toEqual({
      ...{ runtime: "docker", reach: "url", url, worktree: home.project },
      ...{ token: "name", bridge: null },
    });
    const asWords = await run("sh", ["-c", `printf '%s\\n' ${plain.stdout}`]);
    expect(asWords.stdout.trimEnd().split("\n")).toEqual(command);
    expect(plain.stderr).toBe(
      `To run it by hand, set the token first: export WRAPTOOL_TOKEN="$(cat ${home.tokenFile})"\n`,
    );
    expect([plain.call, json.call]).toEqual([undefined, undefined]);
    expectHidden(plain);
    const ran = await up(...flags);
    expect(["docker", ...(ran.call?.argv ?? [])]).toEqual(command);
  });

  it.each([
    {
      case: "loopback alone",
      words: [],
      said: /listens on loopback only \(http:\/\/127\.0\.0\.1:\d+\), and the loopback of a container is its own$/,
      hint: /^ {2}Add 172\.17\.0\.1:\d+ to server\.listen, .*server\.auth_token_file.*; or use --bridge/,
    },
    {
      case: "a folder outside of the roots",
      words: ["--bridge", "--worktree", ".."],
      said: /outside of mcp\.allowed_cwd_roots/,
      hint: /wraptool reload, or name another folder with --worktree/,
    },
    {
      case: "the token in a word",
      words: ["--bridge", `--run-arg=--env=WRAPTOOL_TOKEN=${CANARY}`],
      said: /stands among the words/,
      hint: /Leave it out/,
    },
    {
      case: "a form of the token that is none",
      words: ["--bridge", "--token", "literal"],
      said: /name or file/,
      hint: undefined,
    },
  ])("[G23] refuses $case, and says what to do", async ({ words, said, hint }) => {
    const { status, call, stdout, stderr } = await up(...words, "--image", "image");
    expect([status, call, stdout]).toEqual([1, undefined, ""]);
    expect(stderr.split("\n")).toEqual([
      expect.stringMatching(said),
      ...(hint === undefined ? [] : [expect.stringMatching(hint)]),
      "",
    ]);
    expect(findCanary(stderr)).toEqual([]);
  });
});

onLinux("wraptool up, by the record of a daemon", () => {
  /** Writes the record of a daemon with these listeners; the process that it names is this one. */
  function record(
    { path }: UpHome,
    listeners: readonly string[],
    tokenFile?: string,
    roots: readonly string[] = [path],
  ): void {
    const config = join(path, ".config", "wraptool", "config.yaml");
    const file = statePath(join(path, "state", "wraptool"), "daemon", config);
    mkdirSync(join(path, "state", "wraptool"), { recursive: true });
    mkdirSync(join(path, ".config", "wraptool"), { recursive: true });
    writeFileSync(config, `mcp: {allowed_cwd_roots: [${roots.join()}]}\n`);
    const daemon = { pid: process.pid, start: "", program: "1", listeners, tokenFile };
    writeFileSync(file, JSON.stringify({ version: 1, ...daemon }));
  }

  it.each([
    [["docker", "podman"], ["0.0.0.0:8717"], "docker", "host.docker.internal:8717"],
    [["podman"], ["127.0.0.1:1", "[::]:8717"], "podman", "host.containers.internal:8717"],
    [["docker"], ["127.0.0.1:1", "172.17.0.1:8717"], "docker", "172.17.0.1:8717"],
  ])(
    "[G23] with %j on the PATH reaches %j by %s as %s",
    async (runtimes, places, runtime, host) => {
      await using home = createUpHome(runtimes);
      record(
        home,
        places.map((place) => `http://${place}`),
      );
      const { stdout } = await home.up("--dry-run", "--json", "--image", "image");
      const { command, url, token } = JSON.parse(stdout);
      expect([command[0], token]).toEqual([runtime, null]);
      expect(url).toBe(`http://${host}/mcp?cwd=${encodeURIComponent(home.project)}`);
      expect(command.includes("host.docker.internal:host-gateway")).toBe(
        host.startsWith("host.docker"),
      );
    },
  );

  it("[G23] takes a bridge to the TCP listener where the daemon serves no socket", async () => {
    await using home = createUpHome();
    record(home, ["http://0.0.0.0:8717"], home.tokenFile);
    const { stdout } = await home.up("--bridge", "--dry-run", "--json", "--image", "image");
    const { reach, bridge, url, token } = JSON.parse(stdout);
    expect([reach, token]).toEqual(["url", "file"]);
    expect(bridge.slice(2)).toEqual([
      ...["bridge", "--url", url, "--token-file", "/run/wraptool/token"],
    ]);
  });

  it("[G23] says so where there is no runtime, no daemon, no TCP, no token or no root", async () => {
    await using bare = createUpHome([]);
    expect(await bare.up("--image", "image")).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^error: Neither docker nor podman is on the PATH\n {2}Install it, .*--runtime/,
      ),
    });
    await using home = createUpHome();
    const refusal = async (...words: string[]) => {
      const { stdout } = await home.up("--dry-run", "--json", ...words, "--image", "image");
      return JSON.parse(stdout).error;
    };
    expect(await refusal("--runtime", "podman")).toMatchObject({
      code: "NO_RUNTIME",
      message: "podman is not on the PATH",
    });
    expect(await refusal()).toMatchObject({
      code: "NOT_RUNNING",
      hint: "Start one: wraptool serve",
    });
    record(home, ["/run/s"]);
    expect(await refusal()).toMatchObject({
      code: "SOCKET_ONLY",
      hint: expect.stringMatching(
        /^Use --bridge, if the image has node 20 or newer; or set server/,
      ),
    });
    record(home, ["http://0.0.0.0:1"], join(home.path, "missing"));
    expect(await refusal()).toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("missing: does not exist; run wraptool token new"),
    });
    record(home, ["http://0.0.0.0:1"], undefined, []);
    expect(await refusal()).toMatchObject({
      code: "WORKTREE_NOT_ALLOWED",
      message: expect.stringContaining("mcp.allowed_cwd_roots is empty"),
      hint: `Set mcp.allowed_cwd_roots: [${home.project}], and run wraptool reload`,
    });
  });

  it("[G23] works in the folder of the dev container, and says what it leaves out", async () => {
    await using home = createUpHome();
    record(home, ["http://0.0.0.0:8717"]);
    const file = home.writeDevContainer({ image: "image", features: { a: {} } });
    const flags = ["--config", join(home.path, ".config", "wraptool", "config.yaml")];
    const { stdout, stderr } = await home.up(
      ...[...flags, "--dry-run", "--json", "--devcontainer", "../project"],
    );
    expect(JSON.parse(stdout).worktree).toBe(home.project);
    expect(stderr).toMatch(
      /features: not installed, .*devcontainer build .*wraptool up --image NAME\n$/,
    );
    expect(stderr).toContain(file);
    const other = await home.up("--dry-run", "--json", "--devcontainer", ".", "--worktree", "..");
    expect(JSON.parse(other.stdout).worktree).toBe(home.path);
  });

  it.each([
    [{ build: { dockerfile: "Dockerfile" } }, "NOT_BUILT", "build: up runs an image that exists"],
    [{ image: 22 }, "INVALID_VALUE", "image: must be a string"],
    [{ image: "image", runArgs: ["${localEnv:HUSH}"] }, "BAD_REFERENCE", "runArgs[0]: takes the"],
    [{ image: "image", containerEnv: { A: CANARY } }, "TOKEN_SHOWN", "stands among the words"],
  ])("[G23] refuses a dev container of %j", async (content, code, said) => {
    await using home = createUpHome();
    record(home, ["http://0.0.0.0:8717"], home.tokenFile);
    home.writeDevContainer(content);
    const ran = await home.up("--dry-run", "--json", "--devcontainer", ".");
    const { error } = JSON.parse(ran.stdout);
    expect(error).toMatchObject({ code, message: expect.stringContaining(said) });
    expect([ran.status, findCanary(ran.stdout + ran.stderr)]).toEqual([1, []]);
  });

  it("[W9] is told by its help, with commands that work as they stand", async () => {
    await using home = createUpHome(["docker", "podman"]);
    const { stdout } = await home.up("--help");
    expect(stdout).toMatch(
      /^Usage: wraptool up \(--image IMAGE \| --devcontainer DIR\) \[options\] -- COMMAND\.\.\.\n/,
    );
    home.writeDevContainer({ image: "image" });
    record(home, ["http://0.0.0.0:8717", "/run/s"]);
    const examples = stdout.split("Examples:\n")[1]?.trim().split("\n") ?? [];
    expect(examples.length).toBeGreaterThan(2);
    const wordsOf = (example: string) => example.trim().split(" ").slice(2);
    const ran = await Promise.all(examples.map((one) => home.up("--dry-run", ...wordsOf(one))));
    expect(ran.map(({ status }) => status)).toEqual(examples.map(() => 0));
  });

  it.each([
    [["--json", "--image", "image"], "--json needs --dry-run"],
    [["--dry-run"], "There is no image to run"],
    [["node:22", "--", "bash"], "wraptool up --image node:22 -- bash"],
    [["--image", "image", "--devcontainer", "."], "--image and --devcontainer name two images"],
    [["--dry-rum", "--image", "image"], "Did you mean --dry-run?"],
    [["--image", "image", "ls", "-l"], "unknown option '-l'"],
  ])("[W9] takes %j for a mistake, with exit status 2", async (words, said) => {
    await using home = createUpHome();
    const { status, stdout, stderr } = await home.up(...words);
    expect(status).toBe(2);
    expect(stdout + stderr).toContain(said);
  });
});
