// search_aios against bare reads of the same files, in the same run and in turn; every sample's results are checked.
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
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { CELLS, expectedFiles, makeCorpus, QUERIES, settle } from "./corpus.mjs";

const count = Number(process.argv[2] ?? 10_000);
const WARM_UPS = 6;
const ROUNDS = 9;
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

async function timed(act) {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

/** Milliseconds of CPU time of all threads of this process, which a busy machine troubles less than the clock. */
async function costOf(act) {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
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

async function measureSearch(corpus, cell) {
  const rows = [];
  for (const [name, sought] of Object.entries(QUERIES)) {
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
    const times = { bare: [], cold: [], warm: [] };
    for (let round = -WARM_UPS; round < ROUNDS; round++) {
      corpus.move();
      const bare = await costOf(() => readBare(corpus.paths()));
      const cold = await costOf(search);
      const warm = await costOf(search);
      if (round < 0) continue;
      times.bare.push(bare);
      times.cold.push(cold);
      times.warm.push(warm);
    }
    await thread.stop();
    const ratio = (what) => median(times[what].map((time, at) => time / times.bare[at])).toFixed(2);
    rows.push({
      corpus: `${cell}, ${count} files, ${name} hits`,
      "floor, ms of CPU": median(times.bare).toFixed(1),
      cold: ratio("cold"),
      warm: ratio("warm"),
      "first of a thread": (first / median(times.bare)).toFixed(2),
    });
  }
  return rows;
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
    p99: sorted[Math.floor(sorted.length * 0.99)].toFixed(1),
    peak: ((Number(peak[1]) * 1024) / MIB).toFixed(0),
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
  return median(times.start.map((time, at) => time / times.bare[at])).toFixed(2);
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function printTable(rows) {
  const columns = Object.keys(rows[0]);
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const body = rows.map((row) => line(columns.map((column) => row[column])));
  console.log([line(columns), line(columns.map(() => "---")), ...body, ""].join("\n"));
}

const details = [];
const measured = { cold: [], warm: [], ping: [], peak: [], start: [] };
for (const cell of CELLS) {
  const corpus = createMovable(cell);
  try {
    await settle();
    const rows = await measureSearch(corpus, cell);
    details.push(...rows);
    measured.cold.push(`${cell} ${rows.map(({ cold }) => cold).join(", ")}`);
    measured.warm.push(`${cell} ${rows.map(({ warm }) => warm).join(", ")}`);
    const { p99, peak } = await measureServer(corpus);
    measured.ping.push(`${p99} ms`);
    measured.peak.push(`${peak} MiB`);
    measured.start.push(await measureStart(corpus.folder));
  } finally {
    corpus.remove();
  }
}

const row = (what, least, aim, figures) => ({
  what,
  "at least": least,
  aim,
  measured: figures.join("; "),
});
printTable(details);
// The first cells repeat the contract's.
printTable([
  row("cold search, 10,000 files ÷ floor", "≤ 3.0", "≤ 1.8", measured.cold),
  row("warm search in the same process ÷ floor", "≤ 1.0", "≤ 0.5", measured.warm),
  row("`ping` while a search runs, p99", "≤ 50 ms", "≤ 10 ms", measured.ping),
  row("peak memory at 10,000 files", "≤ 250 MiB", "≤ 150 MiB", measured.peak),
  row("process start to first `tools/list` answer ÷ `node -e 0`", "≤ 3", "≤ 2", measured.start),
]);
