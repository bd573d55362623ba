// One `call` from a shell, against mcporter's newest of two lines, on the echo server and the official filesystem server.
// Builds nothing: run it after `turbo run build`. Installs mcporter into a temporary folder with npm.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { officialServer } from "./places.mjs";
import { median, ratio } from "./rounds.mjs";
import { atMost, printSection } from "./section.mjs";

const MCPORTERS = ["0.9", "0.12"];
const rounds = Number(process.argv[2] ?? 15);
const folder = mkdtempSync(join(tmpdir(), "adapter-bench-"));
const bin = join(folder, "adapter/cli.js");
const echo = fileURLToPath(new URL("../../../test-fixtures/servers/echo.mjs", import.meta.url));

/** The rows of the contract, and the most that each ratio may be. */
const ROWS = {
  echo: [
    "one-shot `call` on a stdio echo server ÷ the faster mcporter (0.9, 0.12), same run",
    0.65,
  ],
  filesystem: ["the same on the official filesystem server (whose own start is 0.53 of it)", 0.75],
};

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

/** How one server is called: the median of the rounds' ratios to the faster mcporter. */
function measure(name, clients) {
  const times = Object.fromEntries(Object.keys(clients).map((client) => [client, []]));
  for (let round = 0; round <= rounds; round++)
    for (const [client, argsOf] of Object.entries(clients)) {
      const ms = time(argsOf(name));
      // The first round warms the disk's cache.
      if (round > 0) times[client].push(ms);
    }
  for (const [client, ms] of Object.entries(times))
    console.error(`${name}, ${client}: p50 ${median(ms).toFixed(0)} ms`);
  const [faster] = MCPORTERS.map((version) => times[`mcporter ${version}`]).sort(
    (a, b) => median(a) - median(b),
  );
  return Number(ratio(times.adapter, faster));
}

try {
  const clients = prepare();
  const rows = Object.entries(ROWS).map(([name, [what, goal]]) => [
    what,
    `≤ ${goal}`,
    atMost(goal, measure(name, clients)),
  ]);
  printSection(
    "Adapter: one call from a shell",
    `\`apps/travis-adapter/bench/one-shot.mjs\`: whole processes, ${rounds} rounds in turn; the medians of the ratios within each round.`,
    rows,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
