// The gateway against a floor, two other gateways and `cat`, all in one run and in turn. Prints ratios as a section of Markdown.
// Run after the build, on Linux: node --expose-gc apps/gateway/bench/gateway.mjs [rounds, 7 unless given]
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  floor,
  gateway,
  heapFlags,
  installPeers,
  liveHeap,
  openSession,
  post,
  residentMb,
  start,
} from "./target.mjs";

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
    ["`/mcp` tools/call p50 at 1 client ÷ floor", "≤ 1.5", atMost(1.5, against(1, "floor", "p50"))],
    [
      "throughput at 32 clients ÷ floor",
      "≥ 0.7",
      `${atLeast(0.7, against(32, "floor", "perSecond"))} (${peerRatios(32).join(", ")})`,
    ],
    [
      "throughput ÷ the best of mcp-proxy and supergateway, 1 client / 32 clients",
      "≥ 2 / ≥ 3",
      `${atLeast(2, best(1))} / ${atLeast(3, best(32))}`,
    ],
  ];
}

/** Sessions that each make their share of the calls and end. What is left is counted once they are gone. */
async function soak() {
  const heapFile = join(folder, "heap");
  const settings = { mcp: { max_sessions: 64 }, flags: heapFlags };
  const target = await start(gateway(folder, settings), { ...places, heapFile });
  const agent = new Agent({ keepAlive: true, maxSockets: SOAK.clients });
  try {
    // Its server runs from the first call on.
    await post(agent, target, call(0));
    const before = countOf(target.pid);
    const each = SOAK.calls / SOAK.sessions;
    let opened = 0;
    const heaps = [];
    for (const sessions of [SOAK.sessions / 2, SOAK.sessions]) {
      const work = async () => {
        while (opened < sessions) {
          opened++;
          const session = { ...target, headers: await openSession(agent, target) };
          for (let id = 1; id <= each; id++) await post(agent, session, call(id));
        }
      };
      await Promise.all(Array.from({ length: SOAK.clients }, work));
      heaps.push(await liveHeap(target.pid, heapFile));
    }
    agent.destroy();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const after = countOf(target.pid);
    const children = atMost(0, after.children - before.children, String);
    const descriptors = Math.max(0, after.descriptors - before.descriptors);
    const left = `${children} children, ${atMost(0, descriptors, String)} descriptors`;
    const heap = `${atMost(1.1, heaps[1] / heaps[0])} (${(heaps[1] / 1e6).toFixed(1)} MB)`;
    return [
      "1,000 sessions, 100,000 calls: children and descriptors left over; live heap after all ÷ after half",
      "0; ≤ 1.1",
      `${left}; ${heap}`,
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
    "≤ 90 MB; ≤ 5",
    `${atMost(90, resident, (mb) => `${mb.toFixed(0)} MB`)}; ${atMost(5, ratio(times.gateway, times.node))}`,
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
    "≤ 6",
    atMost(6, ratio(times.gateway, times.cat)),
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

/** A figure in bold where it misses its goal. */
function atMost(goal, figure, show = shown) {
  return figure <= goal ? show(figure) : `**${show(figure)}**`;
}

function atLeast(goal, figure) {
  return figure >= goal ? shown(figure) : `**${shown(figure)}**`;
}

function say(what) {
  console.error(`gateway: ${what} …`);
}

try {
  say("installing the peers");
  const starters = { floor, gateway: gateway(folder), ...installPeers(folder) };
  const rows = [];
  for (const [what, measure] of Object.entries({
    calls: () => measureCalls(starters),
    soak: async () => [await soak()],
    start: async () => [await measureStart()],
    "a large answer": async () => [await measureLarge()],
  })) {
    say(`measuring ${what}`);
    rows.push(...(await measure()));
  }
  console.log(`## Gateway

${rounds} rounds, each target in front of an echo server of its own. The floor is an HTTP server of 15 lines that parses, rewrites the id and
pipes to the same echo server. The live heap is what the daemon's heap holds after a full collection.

| what | at least | measured |
|---|---|---|
${rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
