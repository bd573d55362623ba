// The gateway against a floor, two other gateways and `cat`, all in one run and in turn. Prints ratios as a table.
// Run after the build, on Linux: node --expose-gc apps/gateway/bench/gateway.mjs [rounds, 7 unless given]
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { floor, gateway, installPeers, openSession, post, residentMb, start } from "./target.mjs";

const rounds = Number(process.argv[2] ?? 7);
const SLICE_MS = 800;
const LARGE_BYTES = 8 * 1024 * 1024;
const SOAK = { sessions: 1_000, calls: 100_000, clients: 32 };
const folder = mkdtempSync(join(tmpdir(), "gateway-bench-"));
const places = { home: folder };

const text = "x".repeat(32);
const call = (id, name = "echo") => ({
  id,
  method: "tools/call",
  params: { name, arguments: { text } },
});

/** Calls with so many clients for one slice: the median in milliseconds, and calls a second. */
async function slice(target, clients) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times = [];
  // One session for all clients: the peers mix up calls in flight that have one id.
  let id = 0;
  const end = performance.now() + SLICE_MS;
  const work = async () => {
    while (performance.now() < end) {
      const sent = performance.now();
      const { body } = await post(agent, target, call(++id));
      if (!body.includes(text)) throw new Error(`a wrong answer: ${body}`);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  agent.destroy();
  return { p50: median(times), perSecond: times.length / (SLICE_MS / 1000) };
}

async function measureCalls(starters) {
  const targets = {};
  const slices = { 1: {}, 32: {} };
  try {
    for (const [name, argsOf] of Object.entries(starters))
      targets[name] = await start(argsOf, places);
    for (let round = 0; round <= rounds; round++)
      for (const clients of [1, 32])
        for (const [name, target] of Object.entries(targets)) {
          const measured = await slice(target, clients);
          // The first round warms everything up.
          if (round === 0) slices[clients][name] = [];
          else slices[clients][name].push(measured);
        }
  } finally {
    await Promise.all(Object.values(targets).map((target) => target.stop()));
  }
  const series = (clients, name, what) => slices[clients][name].map((one) => one[what]);
  const against = (clients, other, what) =>
    ratio(series(clients, "gateway", what), series(clients, other, what));
  const peers = Object.keys(starters).filter((name) => name !== "floor" && name !== "gateway");
  const best = (clients) => Math.min(...peers.map((peer) => against(clients, peer, "perSecond")));
  const peerRatios = (clients) =>
    peers.map(
      (peer) =>
        `${peer} ${shown(ratio(series(clients, peer, "perSecond"), series(clients, "floor", "perSecond")))}`,
    );
  return [
    ["`/mcp` tools/call p50 at 1 client ÷ floor", shown(against(1, "floor", "p50"))],
    [
      "throughput at 32 clients ÷ floor",
      `${shown(against(32, "floor", "perSecond"))} (${peerRatios(32).join(", ")})`,
    ],
    [
      "throughput ÷ the best of mcp-proxy and supergateway, 1 client / 32 clients",
      `${shown(best(1))} / ${shown(best(32))}`,
    ],
  ];
}

/** Sessions that each make their share of the calls and end. What is left is counted once they are gone. */
async function soak() {
  const target = await start(gateway(folder, { mcp: { max_sessions: 64 } }), places);
  const agent = new Agent({ keepAlive: true, maxSockets: SOAK.clients });
  try {
    // Its server runs from the first call on.
    await post(agent, target, call(0));
    const before = countOf(target.pid);
    const each = SOAK.calls / SOAK.sessions;
    let opened = 0;
    const heaps = [];
    const work = async () => {
      while (opened < SOAK.sessions) {
        if (++opened === SOAK.sessions / 2) heaps.push(residentMb(target.pid));
        const session = { ...target, headers: await openSession(agent, target) };
        for (let id = 1; id <= each; id++) await post(agent, session, call(id));
      }
    };
    await Promise.all(Array.from({ length: SOAK.clients }, work));
    heaps.push(residentMb(target.pid));
    agent.destroy();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const after = countOf(target.pid);
    const left = `${after.children - before.children} children, ${Math.max(0, after.descriptors - before.descriptors)} descriptors`;
    return [
      "1,000 sessions, 100,000 calls: children and descriptors left over; live heap after all ÷ after half",
      `${left}; resident memory ${shown(heaps[1] / heaps[0])}`,
    ];
  } finally {
    agent.destroy();
    await target.stop();
  }
}

function countOf(pid) {
  const descriptors = readdirSync(`/proc/${pid}/fd`).length;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return { descriptors, children: children.filter((one) => one !== "").length };
}

async function measureStart() {
  const times = { node: [], gateway: [] };
  let resident = 0;
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    spawnSync(process.execPath, ["-e", "0"]);
    times.node.push(performance.now() - begun);
    const target = await start(gateway(folder), places);
    times.gateway.push(target.startMs);
    resident = residentMb(target.pid);
    await target.stop();
  }
  return [
    "idle memory; start to first answer ÷ `node -e 0`",
    `${resident.toFixed(0)} MB; ${shown(ratio(times.gateway, times.node))}`,
  ];
}

async function measureLarge() {
  const file = join(folder, "large");
  writeFileSync(file, "x".repeat(LARGE_BYTES));
  const settings = { mcp: { max_output: 0 }, env: { BENCH_FILE: file } };
  const target = await start(gateway(folder, settings), places);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = { cat: [], gateway: [] };
  try {
    for (let round = 0; round <= rounds * 2; round++) {
      const cat = await timed(() => catThroughCat(file));
      const through = await timed(async () => {
        const { body } = await post(agent, target, call(round + 1, "large"));
        if (body.length < LARGE_BYTES) throw new Error(`only ${body.length} bytes`);
      });
      if (round === 0) continue;
      times.cat.push(cat);
      times.gateway.push(through);
    }
  } finally {
    agent.destroy();
    await target.stop();
  }
  return [
    "8 MiB result through the gateway (`max_output: 0`) ÷ `cat FILE` through a second `cat`",
    shown(ratio(times.gateway, times.cat)),
  ];
}

function catThroughCat(file) {
  const first = spawn("cat", [file], { stdio: ["ignore", "pipe", "inherit"] });
  const second = spawn("cat", [], { stdio: [first.stdout, "pipe", "inherit"] });
  return new Promise((resolve) => second.stdout.on("data", () => {}).on("end", resolve));
}

async function timed(act) {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** The median of the ratios within each round: what troubled the machine troubled both. */
function ratio(ours, theirs) {
  return median(ours.map((one, round) => one / theirs[round]));
}

function shown(number) {
  return number.toFixed(2);
}

try {
  const starters = { floor, gateway: gateway(folder), ...installPeers(folder) };
  const rows = [
    ...(await measureCalls(starters)),
    await soak(),
    await measureStart(),
    await measureLarge(),
  ];
  console.log("| what | measured |\n|---|---|");
  for (const [what, measured] of rows) console.log(`| ${what} | ${measured} |`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
