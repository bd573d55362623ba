// Preloaded into a program that is soaked: tells its live memory, and moves its wall clock. The monotonic clock goes on as it does.
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
let shiftMs = 0;

globalThis.Date = new Proxy(Date, {
  construct: (real, args, target) =>
    Reflect.construct(real, args.length === 0 ? [real.now() + shiftMs] : args, target),
  get: (real, name) => (name === "now" ? () => real.now() + shiftMs : real[name]),
});

const answers = {
  async heap() {
    // Twice: what the first collection finalizes lets go of buffers that the second takes.
    for (let turn = 0; turn < 2; turn++) {
      collect();
      await pause(50);
    }
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 1e6;
  },
  shift(ms) {
    shiftMs = ms;
    return Date.now();
  },
};
process.on("message", async ({ ask, value }) =>
  process.send({ ask, answer: await answers[ask](value) }),
);
// It must not keep a program alive that is done.
process.channel?.unref();
