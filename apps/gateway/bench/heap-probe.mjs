// Preloaded into the daemon (node --expose-gc --import heap-probe.mjs): at SIGUSR2 it collects all garbage and appends what the
// heap still holds to the file that BENCH_HEAP names, in bytes, one line each.
import { appendFileSync } from "node:fs";

process.on("SIGUSR2", () => {
  // What the first collection frees may hold more that only a second one finds.
  for (let pass = 0; pass < 3; pass++) globalThis.gc();
  appendFileSync(process.env.BENCH_HEAP, `${process.memoryUsage().heapUsed}\n`);
});
