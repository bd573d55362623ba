// The main job, as a user would do it: a gateway in front of two real stdio servers, reached by the adapter.
//   npm start             runs it, shows what a model would see, cleans up
//   npm start -- --keep   leaves the gateway running and prints entries for MCP clients
// Every step checks what it claims; the exit status is 0 only if all of them held.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, styleText } from "node:util";

const HELP = `Usage: npm start [-- --keep]

Runs the three programs together on real servers and shows what a model would see.

Options:
  --keep   leave the gateway running until Ctrl-C and print entries for MCP clients
  --help   show this text`;

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = (app) => join(root, "apps", app, "dist", "cli.js");
const filesystemServer = join(
  root,
  "test-fixtures/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js",
);

const colored = process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== "dumb";
const style = (format, text) => (colored ? styleText(format, text) : text);
const say = (text = "") => process.stdout.write(`${text}\n`);
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** What `argv` asks for; a mistyped flag is one line and exit status 2. */
function readFlags(argv) {
  try {
    return parseArgs({
      args: argv,
      options: {
        keep: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    process.stderr.write(`error: ${error.message}\n  See npm start -- --help\n`);
    process.exit(2);
  }
}

/** The folders and files of one run: a sandbox for the filesystem server, a home for gateway and adapter. */
function layOut() {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "bounded-mcp-start-"));
  const sandbox = join(folder, "sandbox");
  const home = join(folder, "home");
  mkdirSync(sandbox);
  mkdirSync(join(home, ".config", "mcp"), { recursive: true });
  writeFileSync(join(sandbox, "hello.txt"), "Hello from the sandbox folder.\n");
  writeFileSync(
    join(sandbox, "long.txt"),
    Array.from({ length: 5000 }, (_, i) => `line ${i + 1} of a long file`).join("\n"),
  );
  const config = join(home, "gateway.yaml");
  const tokenFile = join(home, "token");
  writeFileSync(config, gatewayConfiguration({ sandbox, tokenFile }));
  return { folder, sandbox, home, config, tokenFile };
}

/** The embedded default configuration: two servers, each with only the tools that reading needs. */
function gatewayConfiguration({ sandbox, tokenFile }) {
  const quote = JSON.stringify;
  return `server:
  listen: 127.0.0.1:0
  auth_token_file: ${quote(tokenFile)}
mcp_servers:
  notes:
    command: ${quote(process.execPath)}
    args: [${quote(bin("aios-server"))}, --path, ${quote(join(root, "test-fixtures/aios/sample"))}]
    name_prefix: notes
    allow: [{tool: read_working_context}]
  files:
    command: ${quote(process.execPath)}
    args: [${quote(filesystemServer)}, ${quote(sandbox)}]
    name_prefix: files
    allow: [{tool: read_text_file}, {tool: list_directory}, {tool: write_file}]
    deny: [{tool: write_file}]
`;
}

/** Runs one command to its end. */
function run(command, args, env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.on("error", (error) => resolve({ status: 1, stdout, stderr: error.message }));
    child.on("close", (status) => resolve({ status, stdout, stderr }));
  });
}

/** Starts the gateway and waits until it says where it listens. */
async function startGateway({ config }, env) {
  const child = spawn(process.execPath, [bin("gateway"), "serve", "--config", config], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const gateway = { child, log: "", url: "" };
  gateway.exited = new Promise((resolve) => child.on("close", (status) => resolve(status)));
  await new Promise((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      gateway.log += chunk;
      gateway.url ||= gateway.log.match(/listening on (http:\S+\/mcp)/)?.[1] ?? "";
      if (gateway.url) resolve();
    });
    gateway.exited.then((status) =>
      reject(new Error(`The gateway ended with status ${status}:\n${gateway.log}`)),
    );
  });
  return gateway;
}

const shown = [];
let failures = 0;

/** Prints one step: its title, how long it took, and up to `most` lines of what a model would see. */
function report({ title, started, text, most = 12, problems }) {
  const number = String(shown.length + 1).padStart(2);
  const mark = problems.length === 0 ? style("green", "ok") : style("red", "FAILED");
  say(`${style("bold", `${number}  ${title}`)}  ${mark} ${style("dim", seconds(started))}`);
  const lines = text.trimEnd().split("\n");
  const clip = (line) => (line.length > 108 ? `${line.slice(0, 107)}…` : line);
  for (const line of lines.slice(0, most)) say(`    ${style("dim", "│")} ${clip(line)}`);
  if (lines.length > most) say(`    ${style("dim", `│ … ${lines.length - most} more lines`)}`);
  for (const problem of problems) say(`    ${style("red", problem)}`);
  say();
  shown.push(text);
  failures += problems.length;
}

/** One request to the adapter's `mcp` tool, and what must and must not stand in its answer. */
async function ask({ title, request, status = 0, has = [], lacks = [], most }, place, env) {
  const started = performance.now();
  const args = [bin("travis-adapter"), "call", JSON.stringify(request)];
  const ran = await run(
    process.execPath,
    [...args, "--home", place.home, "--cwd", place.sandbox],
    env,
  );
  const text = ran.stdout || ran.stderr;
  const problems = [
    ...(ran.status === status ? [] : [`exit status ${ran.status} instead of ${status}`]),
    ...has.filter((part) => !text.includes(part)).map((part) => `the answer lacks "${part}"`),
    ...lacks.filter((part) => text.includes(part)).map((part) => `the answer shows "${part}"`),
    ...(Buffer.byteLength(text) <= 60 * 1024 ? [] : ["the answer is longer than 60 KiB"]),
  ];
  const asked = `${style("cyan", "mcp")} ${JSON.stringify(request)}`;
  report({ title, started, text: `${asked}\n${text}`, problems, ...(most ? { most } : {}) });
}

const requests = ({ sandbox }) => [
  {
    title: "Status connects to nothing",
    request: {},
    has: ["gateway", "disconnected"],
  },
  {
    title: "List what the policy lets through",
    request: { server: "gateway" },
    has: ["notes_read_working_context", "files_read_text_file", "files_list_directory"],
    lacks: ["files_write_file", "files_move_file"],
  },
  {
    title: "Search in a person's words",
    request: { server: "gateway", search: "what am I working on" },
    has: ["notes_read_working_context"],
  },
  {
    title: "Describe one tool before calling it",
    request: { server: "gateway", describe: "files_read_text_file" },
    has: ["path", "Input schema"],
  },
  {
    title: "Call the notes server through adapter and gateway",
    request: {
      server: "gateway",
      tool: "notes_read_working_context",
      args: { budget: 1500 },
    },
    has: ["Memory: Shared", "Active Context"],
  },
  {
    title: "Call the filesystem server",
    request: {
      server: "gateway",
      tool: "files_read_text_file",
      args: { path: join(sandbox, "hello.txt") },
    },
    has: ["Hello from the sandbox folder."],
  },
  {
    title: "A long answer comes back bounded",
    request: {
      server: "gateway",
      tool: "files_read_text_file",
      args: { path: join(sandbox, "long.txt") },
    },
    has: ["line 1 of a long file"],
    lacks: ["line 5000 of a long file"],
    most: 6,
  },
  {
    title: "A denied tool is refused",
    request: {
      server: "gateway",
      tool: "files_write_file",
      args: { path: join(sandbox, "hello.txt"), content: "overwritten" },
    },
    status: 1,
    has: ["files_write_file"],
  },
];

/** Asks the gateway for the denied tool without the adapter between, as a client that ignores the list might. */
async function askGatewayDirectly({ url }, token) {
  const started = performance.now();
  const post = (message, session) =>
    fetch(url, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...(session ? { "Mcp-Session-Id": session } : {}),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
    });
  const clientInfo = { name: "start", version: "1" };
  const opened = await post({
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
  });
  const params = { name: "files_write_file", arguments: { path: "hello.txt", content: "x" } };
  const refused = await post(
    { method: "tools/call", params },
    opened.headers.get("mcp-session-id"),
  );
  const text = await refused.text();
  report({
    title: "The gateway refuses it too, without the adapter between",
    started,
    text: `POST /mcp tools/call files_write_file\n${text}`,
    problems: /"error"/.test(text) ? [] : ["the gateway answered a denied call"],
  });
}

/** Entries for clients that reach the running gateway; the token stays in its file and comes by reference. */
function clientEntries(url, { tokenFile }) {
  const entry = { type: "http", url, headers: { Authorization: "Bearer $" + "{WRAPTOOL_TOKEN}" } };
  const claude = JSON.stringify({ mcpServers: { wraptool: entry } }, null, 2);
  const travis = JSON.stringify(
    { mcpServers: { wraptool: { url, headers: { Authorization: "Bearer $env:WRAPTOOL_TOKEN" } } } },
    null,
    2,
  );
  return `The gateway stays up at ${url} until Ctrl-C. Its token is in ${tokenFile}:

  export WRAPTOOL_TOKEN="$(cat ${tokenFile})"

Claude Code, .mcp.json:
${claude}

Travis234, ~/.config/mcp/mcp.json:
${travis}`;
}

async function main() {
  const flags = readFlags(process.argv.slice(2));
  if (flags.help) return void say(HELP);
  const begun = performance.now();
  say(`\n${style("bold", "bounded-mcp")}: adapter → gateway → two real MCP servers\n`);

  const place = layOut();
  let gateway;
  const stop = async () => {
    gateway?.child.kill("SIGTERM");
    const status = await gateway?.exited;
    rmSync(place.folder, { recursive: true, force: true });
    return status;
  };
  const interrupted = new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
      process.once(signal, () => resolve(signal));
  });

  const { WRAPTOOL_TOKEN: _outer, ...outer } = process.env;
  const clean = { ...outer, HOME: place.home, NO_COLOR: "1" };
  for (const name of ["XDG_CONFIG_HOME", "XDG_STATE_HOME"]) delete clean[name];
  const job = async () => {
    let started = performance.now();
    const made = await run(
      process.execPath,
      [bin("gateway"), "token", "new", "--config", place.config],
      clean,
    );
    if (made.status !== 0) throw new Error(made.stderr);
    gateway = await startGateway(place, clean);
    report({
      title: "Start the gateway",
      started,
      text: `wraptool serve --config gateway.yaml
listens on ${gateway.url} with a Bearer token
notes → dotaios-mcp over test-fixtures/aios/sample       allows read_working_context
files → @modelcontextprotocol/server-filesystem           allows reading and listing, denies write_file`,
      problems: [],
    });
    writeFileSync(
      join(place.home, ".config", "mcp", "mcp.json"),
      JSON.stringify({
        mcpServers: {
          gateway: { url: gateway.url, headers: { Authorization: "Bearer $env:WRAPTOOL_TOKEN" } },
        },
      }),
    );
    const token = readFileSync(place.tokenFile, "utf8").trim();
    const env = { ...clean, WRAPTOOL_TOKEN: token };
    for (const request of requests(place)) await ask(request, place, env);
    await askGatewayDirectly(gateway, token);

    started = performance.now();
    const untouched = readFileSync(join(place.sandbox, "hello.txt"), "utf8").startsWith("Hello");
    const leaked = [...shown, gateway.log].some((text) => text.includes(token));
    report({
      title: "Nothing was written, nothing leaked",
      started,
      text: "The file that the refused call named is unchanged; the token stands in no answer and in no log line.",
      problems: [
        ...(untouched ? [] : ["the denied call changed hello.txt"]),
        ...(leaked ? ["the token stands in an output"] : []),
      ],
    });

    if (flags.keep && failures === 0) {
      say(`${clientEntries(gateway.url, place)}\n`);
      await Promise.race([interrupted, gateway.exited]);
    }
    started = performance.now();
    const status = await stop();
    gateway = undefined;
    report({
      title: "Shut down",
      started,
      text: "The gateway ended its servers and itself; the sandbox and the token are removed.",
      problems: status === 0 ? [] : [`the gateway ended with status ${status}`],
    });
  };

  try {
    const signal = await Promise.race([job(), flags.keep ? new Promise(() => {}) : interrupted]);
    if (signal) {
      await stop();
      process.exit(128 + constants.signals[signal]);
    }
  } catch (error) {
    await stop();
    failures += 1;
    process.stderr.write(`error: ${error.message}\n`);
  }
  if (failures > 0) {
    say(style("red", `${failures} claims did not hold.`));
    process.exitCode = 1;
    return;
  }
  say(`All ${shown.length} steps did what they claim, in ${seconds(begun)}.

Try next
  npm start -- --keep                                   leave the gateway running for your own agent
  node apps/aios-server/dist/cli.js --path DIR          serve a notes folder over stdio
  node apps/gateway/dist/cli.js serve --help            put your own servers behind a policy
  node apps/travis-adapter/dist/cli.js call --help      ask configured servers from the shell
  npm test                                              check everything`);
}

await main();
