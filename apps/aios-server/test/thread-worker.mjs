// A search thread that does what it is told instead of searching: echo, die, fault, or wait until it is cancelled.
import { parentPort, workerData } from "node:worker_threads";

parentPort.on("message", ({ id, given, cancelled }) => {
  if (given.act === "die") process.exit(7);
  if (given.act === "fault")
    parentPort.postMessage({ id, fault: "Error: broken\n    at somewhere" });
  if (given.act === "refuse")
    parentPort.postMessage({
      id,
      code: "ARGUMENT_RANGE",
      fields: { field: "limit", rule: "small" },
    });
  if (given.act === "wait") {
    Atomics.wait(cancelled, 0, 0, 10_000);
    while (Atomics.load(cancelled, 0) === 0);
  }
  if (given.act === "echo") parentPort.postMessage({ id, text: `${workerData} ${given.text}` });
});
