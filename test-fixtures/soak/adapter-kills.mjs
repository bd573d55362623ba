// The adapter is killed while it works, and started again by the next session of its host.
import { filesIn } from "test-fixtures";
import { hostServer, startHost } from "./pipes.mjs";
import { scenario } from "./scenario.mjs";

const ROUNDS = 8;
const CALLS = 50;

await scenario({
  title: "The adapter is killed",
  about: `${ROUNDS} rounds in which the adapter's process is killed with SIGKILL while ${CALLS} calls run, holds a kept answer, and has a server that takes neither the end of its input nor SIGTERM. Its other servers end with it; the next start ends that one and sweeps the files. Counted in the first adapter and in the last, after the same work.`,
  async run(soak) {
    const servers = Object.fromEntries(
      ["echo", "big", "dawdles", "stubborn"].map((name) => [name, hostServer(soak, name)]),
    );
    const outcomes = { answered: 0, interrupted: 0 };

    async function work(host) {
      const asked = Array.from({ length: CALLS }, (_, turn) =>
        host.ask({ server: "echo", tool: "echo", args: { text: `text ${turn}` } }),
      );
      const answers = await Promise.all(asked);
      answers.forEach(({ text }, turn) => {
        soak.expect(text.includes(`text ${turn}`), `a wrong answer: ${text}`);
      });
      const kept = await host.ask({ server: "big", tool: "text", args: { bytes: 100_000 } });
      soak.expect(!kept.isError, `a long answer: ${kept.text}`);
      outcomes.answered += CALLS + 1;
      return Number((await host.ask({ server: "stubborn", tool: "pid" })).text.match(/\d+$/m)[0]);
    }

    let host = await startHost(soak, servers);
    let stubborn = await work(host);
    const before = await soak.count(host);
    for (let round = 0; round < ROUNDS; round++) {
      const calls = Array.from({ length: CALLS }, () =>
        host
          .ask({ server: "dawdles", tool: "steps", args: { count: 1000, ms: 10 } })
          .catch(() => undefined),
      );
      await host.ask({ server: "dawdles", tool: "pid" });
      host.process.child.kill("SIGKILL");
      await host.process.exited;
      outcomes.interrupted += (await Promise.all(calls)).filter((answer) => !answer).length;
      await soak.until("the servers that take a hint are gone", () => soak.left().length === 1);
      soak.expect(soak.left()[0] === stubborn, "another server than the stubborn one is left");
      host = await startHost(soak, servers);
      const [old, own] = [stubborn, host.process.pid];
      await soak.until("the start has ended the stubborn one", () => !soak.left().includes(old));
      await soak.until("the start has swept the files", () => filesIn(tmp()).length === 0);
      soak.expect(
        soak.left().every((pid) => pid === own),
        "something else is left",
      );
      stubborn = await work(host);
    }
    soak.compare("adapter", before, await soak.count(host));
    soak.figure("adapters killed", ROUNDS);
    soak.figure("calls answered", outcomes.answered);
    soak.figure("calls that ended with their adapter", outcomes.interrupted);
    soak.expect((await host.stop()) === 0, "the adapter did not end well");

    function tmp() {
      return soak.env.TMPDIR;
    }
  },
});
