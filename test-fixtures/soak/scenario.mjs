// What every scenario has: a folder of its own, a mark on all that it starts, counts, and an end after which nothing is left.
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  createTempFolder,
  filesIn,
  fixtureServer,
  isAlive,
  processesWith,
  startDaemon,
  takeCensus,
} from "test-fixtures";

const MARK = "SOAK_MARK";
const inside = new URL("inside.mjs", import.meta.url).href;
/** How much a live heap may grow while the same work is done again: what is compiled and cached, and no more. */
const HEAP_GROWTH = { ratio: 1.1, megabytes: 1 };

/**
 * Runs one scenario and prints what came of it as JSON: `title` and `about` in words, `found` the faults that it has brought
 * to light so far, and what `run(soak)` counts.
 */
export async function scenario({ title, about, found = [], run }) {
  const folder = createTempFolder();
  const mark = randomBytes(8).toString("hex");
  const owned = [folder];
  const rows = [];
  const figures = [];
  const problems = [];
  const marked = { [MARK]: mark };
  const begun = performance.now();

  const soak = {
    folder: folder.path,
    /** The environment of everything that is started. */
    env: { PATH: process.env.PATH, HOME: folder.path, TMPDIR: tmp(), NO_COLOR: "1", ...marked },
    nodeFlags: ["--import", inside],
    own(disposable) {
      owned.push(disposable);
      return disposable;
    },
    /** A server entry of the gateway: a fixture, some of its tools, and the mark. */
    server: (name, tools, more = {}) => ({
      command: process.execPath,
      args: [fixtureServer(name)],
      env: marked,
      allow: tools.map((tool) => ({ tool })),
      ...more,
    }),
    async daemon(config, options = {}) {
      const { env, nodeFlags } = soak;
      const started = { folder: folder.path, nodeFlags, channel: true, ...options };
      return soak.own(await startDaemon(config, { ...started, env: { ...env, ...options.env } }));
    },
    /** The same daemon in a new process. */
    async again(daemon) {
      return soak.own(await daemon.restart());
    },
    /** What a program holds now, its live heap included. */
    async count({ process }) {
      const heapMb = await ask(process, "heap");
      const { children, ...census } = await quietCensus(process.pid);
      return { children: children.length, ...census, heapMb, files: filesIn(tmp()).length };
    },
    /** A row for each count. `grows` names those that may. */
    compare(name, before, after, { grows = [] } = {}) {
      for (const [what, label] of Object.entries(LABELS)) {
        const row = {
          what: `${name}: ${label}`,
          before: shown(before[what]),
          after: shown(after[what]),
        };
        rows.push(row);
        if (!grows.includes(what) && isMore(what, before[what], after[what]))
          problems.push(`${row.what} went from ${row.before} to ${row.after}`);
      }
    },
    figure: (what, value) => figures.push([what, value]),
    expect(holds, sentence) {
      if (!holds) problems.push(sentence);
    },
    /** Looks until it is so. A state of another process has no event to wait for. */
    async until(what, isSo, ms = 20_000) {
      const deadline = performance.now() + ms;
      while (!(await isSo())) {
        if (performance.now() > deadline) throw new Error(`It never came about that ${what}`);
        await pause(20);
      }
    },
    /** Everything that was started here and still runs. */
    left: () => processesWith(MARK, mark).filter(isAlive),
  };

  function tmp() {
    const path = join(folder.path, "tmp");
    mkdirSync(path, { recursive: true });
    return path;
  }

  try {
    await run(soak);
  } catch (error) {
    problems.push(`it could not go on: ${error.stack}`);
  }
  const files = filesIn(tmp());
  for (const disposable of owned.reverse()) await disposable[Symbol.asyncDispose]();
  // A server whose gateway was killed ends when it sees the end of its input.
  await soak.until("all has ended", () => soak.left().length === 0).catch(() => {});
  const left = soak.left();
  for (const pid of left) process.kill(pid, "SIGKILL");
  if (left.length > 0) problems.push(`${left.length} processes were left over`);
  if (files.length > 0) problems.push(`${files.length} temporary files were left over: ${files}`);
  if (existsSync(folder.path)) problems.push("its folder was left over");
  const seconds = Math.round((performance.now() - begun) / 1000);
  process.stdout.write(
    `${JSON.stringify({ title, about, found, rows, figures, problems, seconds })}\n`,
  );
}

/** What it holds at the quietest of a few looks: a file that is just being written, or a connection that closes, is not kept. */
async function quietCensus(pid) {
  const looks = [];
  for (let look = 0; look < 5; look++) {
    looks.push(takeCensus(pid));
    await pause(50);
  }
  return looks.sort((a, b) => a.descriptors - b.descriptors)[0];
}

const LABELS = {
  children: "children",
  descriptors: "descriptors",
  threads: "threads",
  residentMb: "resident memory, MB",
  heapMb: "live heap and buffers, MB",
  files: "temporary files",
};

/** Resident memory is told and not judged: what is free in it is given back when the system asks for it. */
function isMore(what, before, after) {
  if (what === "residentMb") return false;
  if (what === "heapMb") return after > before * HEAP_GROWTH.ratio + HEAP_GROWTH.megabytes;
  return after > before;
}

function shown(count) {
  return Number.isInteger(count) ? String(count) : count.toFixed(1);
}

/** Asks what is preloaded into a program. */
export function ask({ child, exited }, what, value) {
  return new Promise((resolve, reject) => {
    const onMessage = (message) => {
      if (message.ask !== what) return;
      child.off("message", onMessage);
      resolve(message.answer);
    };
    child.on("message", onMessage);
    exited.then(() => reject(new Error("It ended before it answered")));
    child.send({ ask: what, value });
  });
}
