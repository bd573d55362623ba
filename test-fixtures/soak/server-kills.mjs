// The servers behind the gateway die, or stop, while calls run.
import { takeCensus } from "test-fixtures";
import { stateless, statusOf, streamable, withAgent } from "./load.mjs";
import { scenario } from "./scenario.mjs";

const ROUNDS = 8;
const CLIENTS = 8;
/** One less than what makes the gateway leave a server alone. */
const KILLS = 4;

await scenario({
  title: "Servers that are killed",
  about: `${ROUNDS} rounds in which ${CLIENTS} clients call without a pause while the servers' processes are killed at random, ${KILLS} a round, with SIGKILL and SIGTERM in turn; some calls share a process, some have one of their own. A reload after each round lets everything start again. In the end a process is stopped with SIGSTOP, so that nothing but SIGKILL ends it. Counted before and after.`,
  async run(soak) {
    const daemon = await soak.daemon({
      server: { transport: ["sse", "unix"] },
      mcp_servers: {
        shared: soak.server("dawdles", ["steps"], { name_prefix: "shared", timeout: "2s" }),
        own: soak.server("dawdles", ["steps"], { name_prefix: "own", isolation: "session" }),
      },
    });
    const outcomes = { answered: 0, failed: 0 };
    const unexpected = new Set();
    const call = async (session, name) => {
      const { text, error } = await session.call(name, { count: 3, ms: 10 });
      if (text === "done") outcomes.answered++;
      else outcomes.failed++;
      if (error && !/ended with exit code|was ended by|keeps ending/.test(error))
        unexpected.add(error);
      return text === "done";
    };

    async function round(agent, kills) {
      let isOver = false;
      const clients = Array.from({ length: CLIENTS }, async (_, turn) => {
        const door = turn % 2 === 0 ? daemon.url : daemon.socket;
        const session = turn < 2 ? stateless(door, { agent }) : await streamable(door, { agent });
        const name = turn % 4 < 2 ? "shared_steps" : "own_steps";
        do await call(session, name);
        while (!isOver);
        await session.end();
      });
      for (let killed = 0; killed < kills; killed++) {
        await soak.until("a server runs", () => takeCensus(daemon.process.pid).children.length > 0);
        const { children } = takeCensus(daemon.process.pid);
        const victim = children[Math.floor(Math.random() * children.length)];
        process.kill(victim, killed % 2 === 0 ? "SIGKILL" : "SIGTERM");
        await soak.until(
          "it is gone",
          () => !takeCensus(daemon.process.pid).children.includes(victim),
        );
      }
      isOver = true;
      await Promise.all(clients);
    }

    const settle = () =>
      soak.until("only what is shared runs", async () => {
        const { connections } = await statusOf(daemon.socket);
        return connections === 1 && takeCensus(daemon.process.pid).children.length === 1;
      });

    await withAgent(CLIENTS, (agent) => round(agent, 0));
    await settle();
    const before = await soak.count(daemon);
    for (let turn = 0; turn < ROUNDS; turn++) {
      await withAgent(CLIENTS, (agent) => round(agent, KILLS));
      daemon.process.child.kill("SIGHUP");
      const session = await streamable(daemon.socket);
      await soak.until("calls are answered again", () => call(session, "shared_steps"));
      await session.end();
    }
    await settle();
    soak.compare("gateway", before, await soak.count(daemon));
    soak.figure("servers killed", ROUNDS * KILLS);
    soak.figure("calls answered", outcomes.answered);
    soak.figure("calls failed with the server's end as the reason", outcomes.failed);
    soak.expect(unexpected.size === 0, `other errors: ${[...unexpected].join("; ")}`);

    const [stopped] = takeCensus(daemon.process.pid).children;
    process.kill(stopped, "SIGSTOP");
    const session = await streamable(daemon.socket);
    const { error } = await session.call("shared_steps", { count: 1, ms: 1 });
    soak.expect(/did not answer within/.test(error), `a stopped server: ${error}`);
    const begun = performance.now();
    soak.expect((await daemon.stop()) === 0, "the gateway did not end well");
    const seconds = (performance.now() - begun) / 1000;
    soak.figure(
      "seconds to end with a server that takes no signal but SIGKILL",
      seconds.toFixed(1),
    );
    soak.expect(seconds < 8, "the gateway took more than 8 s to end");
  },
});
