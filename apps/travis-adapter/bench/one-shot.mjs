// One `call` from a shell, against mcporter's newest of two lines, on the echo server and the official filesystem server.
// Builds nothing: run it after `turbo run build`. Installs mcporter into a temporary folder with npm.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { officialServer } from "./places.mjs";
import { median, printTable, ratio } from "./rounds.mjs";

const MCPORTERS = ["0.9", "0.12"];
const rounds = Number(process.argv[2] ?? 15);
const folder = mkdtempSync(join(tmpdir(), "adapter-bench-"));
const bin = join(folder, "adapter/cli.js");
const echo = fileURLToPath(new URL("../../../test-fixtures/servers/echo.mjs", import.meta.url));

/** Servers with one cheap call each: for us as a request, for mcporter as tool and arguments. */
const servers = {
  echo: { args: [echo], tool: "echo", input: { text: "hello" } },
  filesystem: {
    args: [officialServer("@modelcontextprotocol/server-filesystem"), folder],
    tool: "list_directory",
    input: { path: folder },
  },
};

function prepare() {
  // A copy, so that a build meanwhile changes nothing.
  cpSync(fileURLToPath(new URL("../dist", import.meta.url)), dirname(bin), { recursive: true });
  writeFileSync(join(dirname(bin), "package.json"), '{"type":"module"}');
  const mcpServers = Object.fromEntries(
    Object.entries(servers).map(([name, { args }]) => [name, { command: process.execPath, args }]),
  );
  mkdirSync(join(folder, ".config/mcp"), { recursive: true });
  const file = join(folder, ".config/mcp/mcp.json");
  writeFileSync(file, JSON.stringify({ mcpServers }));
  const clients = {
    node: () => [["-e", "0"]],
    adapter: (name) => {
      const { tool, input } = servers[name];
      return [[bin, "call", JSON.stringify({ server: name, tool, args: input }), "--home", folder]];
    },
  };
  for (const version of MCPORTERS) {
    const home = join(folder, version);
    mkdirSync(home);
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefix", home];
    const { status } = spawnSync("npm", ["install", ...flags, `mcporter@${version}`]);
    if (status !== 0) throw new Error(`npm could not install mcporter ${version}`);
    const cli = join(home, "node_modules/mcporter/dist/cli.js");
    clients[`mcporter ${version}`] = (name) => {
      const { tool, input } = servers[name];
      const call = ["call", `${name}.${tool}`, "--args", JSON.stringify(input)];
      return [[cli, "--config", file, ...call]];
    };
  }
  return clients;
}

/** Wall time in milliseconds of one whole process. */
function time([args]) {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, NO_COLOR: "1" },
  });
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return Number(process.hrtime.bigint() - start) / 1e6;
}

try {
  const clients = prepare();
  for (const name of Object.keys(servers)) {
    const times = Object.fromEntries(Object.keys(clients).map((client) => [client, []]));
    for (let round = 0; round <= rounds; round++)
      for (const [client, argsOf] of Object.entries(clients)) {
        const ms = time(argsOf(name));
        // The first round warms the disk's cache.
        if (round > 0) times[client].push(ms);
      }
    const faster = MCPORTERS.map((version) => `mcporter ${version}`).sort(
      (a, b) => median(times[a]) - median(times[b]),
    )[0];
    printTable(
      `One-shot call on ${name}, ${rounds} rounds`,
      Object.entries(times).map(([client, ms]) => ({
        client,
        "p50 ms": median(ms).toFixed(0),
        [`÷ ${faster}`]: ratio(ms, times[faster]),
      })),
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
