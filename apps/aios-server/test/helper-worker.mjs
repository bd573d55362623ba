// The other thread of a helper, which misbehaves as it is told by the first piece: it works, dies, hangs or fails.
import { workerData } from "node:worker_threads";

const { port, ready } = workerData;
const [OFFERED, BEGUN, DONE] = [0, 1, 2];

port.on("message", ({ id, given, pieces, control }) => {
  if (Atomics.compareExchange(control, 1, OFFERED, BEGUN) !== OFFERED) return;
  Atomics.store(given.begun, 0, 1);
  Atomics.notify(given.begun, 0);
  if (given.act === "die") process.exit(7);
  const answers = [];
  const last = given.act === "stop early" ? 1 : pieces.length;
  for (let at = Atomics.add(control, 0, 1); at < last; at = Atomics.add(control, 0, 1))
    answers.push([at, { by: "helper", piece: pieces[at] }]);
  // An answer to a question that nobody asks any more is passed over.
  port.postMessage({ id: -1, answers: [[0, { by: "nobody" }]] });
  port.postMessage({ id, answers });
  Atomics.store(control, 1, DONE);
  Atomics.notify(control, 1);
});
Atomics.store(ready, 0, 1);
Atomics.notify(ready, 0);
