import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

/**
 * Runs the cases in turn, round after round, so that a busy machine troubles all of them alike. Gives what each case
 * costs this process in milliseconds of CPU time (its threads too, children not) for one run, a round each. A case
 * may be asynchronous; `repeat` runs are measured as one. `isTidy` collects the garbage of a case before the next, which
 * else pays for it; short cases do without, because the collection also throws away some of their compiled code.
 */
export async function timeRounds(cases, { rounds = 9, repeat = 1, isTidy = false } = {}) {
  const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of Object.entries(cases)) {
      if (isTidy) collectGarbage();
      const before = process.cpuUsage();
      for (let index = 0; index < repeat; index++) {
        const pending = run();
        if (pending instanceof Promise) await pending;
      }
      const { user, system } = process.cpuUsage(before);
      // The first round warms up.
      if (round > 0) times[name].push((user + system) / 1000 / repeat);
    }
  }
  return times;
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** The median of the ratios within each round. */
export function ratio(times, floors) {
  return median(times.map((time, round) => time / floors[round])).toFixed(2);
}

/** A row of the table of goals: the ratios that were measured, those over the goal in bold. */
export function atMost(goal, what, ratios) {
  const measured = ratios.map((value) => (Number(value) <= goal ? value : `**${value}**`));
  return { what, "at least": `≤ ${goal}`, measured: measured.join(", ") };
}

/** Prints rows of equal keys as a Markdown table. */
export function printTable(rows) {
  const columns = Object.keys(rows[0]);
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const body = rows.map((row) => line(columns.map((column) => row[column])));
  console.log([line(columns), line(columns.map(() => "---")), ...body, ""].join("\n"));
}

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const sizeName = (bytes) => (bytes < MIB ? `${bytes / KIB} KiB` : `${bytes / MIB} MiB`);
