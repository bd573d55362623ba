// The tools against bare reads of the same files, in the same run and in turn; every sample's results are checked.
// Prints one section of Markdown on stdout and its progress on stderr.
// Run after the build: node apps/aios-server/bench/search.mjs [files, 10000 unless given]
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { CELLS, expectedFiles, makeCorpus, QUERIES, settle } from "./corpus.mjs";
import { makeFullShelves } from "./shelves.mjs";

const count = Number(process.argv[2] ?? 10_000);
const WARM_UPS = 10;
const ROUNDS = 15;
const FRESH_SERVERS = 7;
const LIMIT = 20;
const MIB = 1024 * 1024;
const dist = new URL("../dist/", import.meta.url);
const scratch = Buffer.allocUnsafe(64 * 1024);

/** The same files read whole: opened, read to their end, closed. */
function readBare(paths) {
  for (const path of paths) {
    const descriptor = openSync(path, "r");
    while (readSync(descriptor, scratch, 0, scratch.length, null) > 0);
    closeSync(descriptor);
  }
}

/** Milliseconds on the clock, and of CPU time of all threads, which a busy machine troubles less. */
async function costOf(act) {
  const before = process.cpuUsage();
  const start = performance.now();
  await act();
  const clock = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { clock, cpu: (user + system) / 1000 };
}

async function timed(act) {
  return (await costOf(act)).clock;
}

/** The server's own search thread, asked without the server around it. */
function startThread(folder) {
  const worker = new Worker(new URL("search-worker.js", dist), {
    workerData: { folder, version: "0.0.0", home: tmpdir() },
  });
  const ask = (query, memory = "shared") =>
    new Promise((resolve, reject) => {
      worker.once("message", ({ text, ...failure }) =>
        text ? resolve(JSON.parse(text)) : reject(new Error(JSON.stringify(failure))),
      );
      const given = { query, memory, limit: LIMIT, budget: 32_000 };
      worker.postMessage({ id: 1, given, cancelled: new Int32Array(new SharedArrayBuffer(4)) });
    });
  return { ask, started: ask("nothing", "off"), stop: () => worker.terminate() };
}

/** A corpus whose vault can be moved to where nothing of it is kept. */
function createMovable(cell) {
  const folder = mkdtempSync(join(tmpdir(), "aios-bench-"));
  const made = makeCorpus(folder, { count, cell });
  const below = made.map((path) => path.slice(join(folder, "vault").length));
  let name = "vault";
  let moves = 0;
  return {
    folder,
    paths: () => below.map((path) => join(folder, name) + path),
    expected: (sought) => expectedFiles(made, folder, sought, LIMIT),
    move() {
      const next = `vault-${++moves}`;
      renameSync(join(folder, name), join(folder, next));
      writeFileSync(
        join(folder, "aios.json"),
        JSON.stringify({ schema_version: "1.2.0", vault_path: next }),
      );
      name = next;
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** The medians of cold and warm searches ÷ the floor, by the clock. */
async function measureSearch(corpus, sought) {
  const thread = startThread(corpus.folder);
  await thread.started;
  const search = async () => {
    const { results, complete } = await thread.ask(sought.query);
    assert.deepEqual(
      results.map(({ file }) => file),
      corpus.expected(sought),
    );
    assert.equal(complete, true);
  };
  const first = await costOf(search);
  const costs = { floor: [], cold: [], warm: [] };
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    corpus.move();
    const floor = await costOf(() => readBare(corpus.paths()));
    const cold = await costOf(search);
    const warm = await costOf(search);
    if (round < 0) continue;
    costs.floor.push(floor);
    costs.cold.push(cold);
    costs.warm.push(warm);
  }
  await thread.stop();
  const ratio = (what, unit) =>
    median(costs[what].map((cost, at) => cost[unit] / costs.floor[at][unit]));
  const floor = median(costs.floor.map(({ clock }) => clock));
  note(
    `  floor ${floor.toFixed(1)} ms; of CPU time: cold ${ratio("cold", "cpu").toFixed(2)}, warm ${ratio("warm", "cpu").toFixed(2)}; ` +
      `first search of a thread ${(first.clock / floor).toFixed(2)}`,
  );
  return { cold: ratio("cold", "clock"), warm: ratio("warm", "clock") };
}

/** A server process that answers by id. */
function startServer(folder) {
  const child = spawn(process.execPath, [new URL("cli.js", dist).pathname, "--path", folder], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const waiting = new Map();
  let lastId = 0;
  let rest = "";
  child.stdout.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const answer = JSON.parse(line);
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    }
  });
  return {
    child,
    ask(method, params = {}) {
      const id = ++lastId;
      const answer = new Promise((resolve) => waiting.set(id, resolve));
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      return answer;
    },
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.stdin.end();
      await ended;
    },
  };
}

/** Pings while searches run, and what the process needed at most. */
async function measureServer(corpus) {
  const server = startServer(corpus.folder);
  await server.ask("ping");
  const pings = [];
  for (const { query } of Object.values(QUERIES)) {
    corpus.move();
    let isRunning = true;
    const given = { name: "search_aios", arguments: { query } };
    const searched = server.ask("tools/call", given).then(({ result }) => {
      isRunning = false;
      assert.equal(result.isError, false);
    });
    while (isRunning) pings.push(await timed(() => server.ask("ping")));
    await searched;
  }
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"));
  await server.stop();
  const sorted = pings.sort((a, b) => a - b);
  return {
    p99: sorted[Math.floor(sorted.length * 0.99)],
    peak: (Number(peak[1]) * 1024) / MIB,
  };
}

async function measureStart(folder) {
  const times = { bare: [], start: [] };
  for (let round = 0; round < 9; round++) {
    times.bare.push(
      await timed(
        () => new Promise((resolve) => spawn(process.execPath, ["-e", "0"]).once("exit", resolve)),
      ),
    );
    let server;
    times.start.push(
      await timed(async () => {
        server = startServer(folder);
        await server.ask("tools/list");
      }),
    );
    await server.stop();
  }
  return median(times.start.map((time, at) => time / times.bare[at]));
}

/** Working contexts of full shelves ÷ bare reads of their files, by what the server knows of the folder already. */
async function measureContext() {
  const folder = mkdtempSync(join(tmpdir(), "aios-bench-"));
  const paths = makeFullShelves(folder, new Date());
  const note = paths.find((path) => path.includes("/daily/"));
  const touch = () => utimesSync(note, new Date(), new Date());
  try {
    await settle();
    const first = [];
    for (let round = 0; round < FRESH_SERVERS; round++) {
      const fresh = await startContexts(folder, paths);
      first.push(await fresh.ratio());
      await fresh.stop();
    }
    const server = await startContexts(folder, paths);
    await server.ratio();
    const again = await ratiosOf(server);
    const changed = await ratiosOf(server, touch);
    await server.stop();
    return { again: median(again), changed: median(changed), first: median(first) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A server that is asked for working contexts in turn with bare reads. */
async function startContexts(folder, paths) {
  const server = startServer(folder);
  await server.ask("ping");
  const read = async () => {
    const given = { name: "read_working_context", arguments: {} };
    const { result } = await server.ask("tools/call", given);
    assert.equal(result.isError, false);
    assert.match(result.content[0].text, /### Recent Signals/);
  };
  return {
    async ratio() {
      const floor = await timed(() => readBare(paths));
      return (await timed(read)) / floor;
    },
    stop: server.stop,
  };
}

async function ratiosOf(server, prepare = () => {}) {
  const ratios = [];
  for (let round = -WARM_UPS; round < 4 * ROUNDS; round++) {
    prepare();
    const ratio = await server.ratio();
    if (round >= 0) ratios.push(ratio);
  }
  return ratios;
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function note(text) {
  console.error(text);
}

/** A figure, in bold where it is above its goal. */
function atMost(goal, figure, unit = "", digits = unit === "" ? 2 : 1) {
  const text = `${figure.toFixed(digits)}${unit}`;
  return figure <= goal ? text : `**${text}**`;
}

const measured = { cold: [], warm: [], ping: [], peak: [], start: [] };
for (const cell of CELLS) {
  const corpus = createMovable(cell);
  try {
    await settle();
    const ratios = [];
    for (const [name, sought] of Object.entries(QUERIES)) {
      note(`${cell}, ${count} files, ${name} hits`);
      ratios.push(await measureSearch(corpus, sought));
    }
    for (const [what, goal] of Object.entries({ cold: 3, warm: 1 }))
      measured[what].push(`${cell} ${ratios.map((ratio) => atMost(goal, ratio[what])).join(", ")}`);
    note(`${cell}, pings, memory and start`);
    const { p99, peak } = await measureServer(corpus);
    measured.ping.push(atMost(50, p99, " ms"));
    measured.peak.push(atMost(250, peak, " MiB", 0));
    measured.start.push(atMost(3, await measureStart(corpus.folder)));
  } finally {
    corpus.remove();
  }
}
note("working contexts of full shelves");
const context = await measureContext();

// The first cells repeat the contract's.
const rows = [
  ["cold search, 10,000 files ÷ floor", "≤ 3.0", measured.cold],
  ["warm search in the same process ÷ floor", "≤ 1.0", measured.warm],
  ["`ping` while a search runs, p99", "≤ 50 ms", measured.ping],
  ["peak memory at 10,000 files", "≤ 250 MiB", measured.peak],
  ["process start to first `tools/list` answer ÷ `node -e 0`", "≤ 3", measured.start],
  [
    "`read_working_context` on the full-shelf fixture ÷ reading its files",
    "≤ 1.5",
    [atMost(1.5, context.again)],
  ],
];
console.log(`## Notes server

\`apps/aios-server/bench/search.mjs\`: ${count.toLocaleString("en")} notes in two shapes, no, few and many of them hit; medians of ${ROUNDS} rounds by the clock. The floor opens,
reads and closes the same files in a synchronous loop. A cold search finds nothing of its folder kept, in a thread that has searched before. A
working context is that of a server which has read the folder, as it answers all calls but few: after a change of one note it costs
${context.changed.toFixed(1)} and as the first answer of a server ${context.first.toFixed(0)} times what reading the files does, and [performance.md](performance.md#working-context) says why.

| what | at least | measured |
| --- | --- | --- |
${rows.map(([what, least, figures]) => `| ${what} | ${least} | ${figures.join("; ")} |`).join("\n")}`);
