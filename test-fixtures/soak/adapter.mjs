// One session of the adapter that lasts long, over pipes and through the gateway.
import { hostServer, startHost } from "./pipes.mjs";
import { scenario } from "./scenario.mjs";

const TURNS = 300;
const AT_ONCE = 8;
const RECONNECT_EACH = 50;

await scenario({
  title: "A long session of the adapter",
  about: `Twice ${TURNS} turns of five requests each, ${AT_ONCE} at a time, to a server of its own and to the gateway over HTTP: list, search, describe, a call, and a call that fails. Each ${RECONNECT_EACH} turns it reconnects both, and keeps a long answer. Counted after the first half and after the second, in the adapter and in the gateway.`,
  async run(soak) {
    const daemon = await soak.daemon({
      mcp_servers: { echo: soak.server("echo", ["echo", "add", "fail"]) },
    });
    const host = await startHost(soak, {
      own: hostServer(soak, "echo"),
      far: { url: new URL("/mcp", daemon.url).href },
      big: hostServer(soak, "big"),
    });
    let answered = 0;

    async function ask(request, isRight) {
      const answer = await host.ask(request);
      if (isRight(answer)) answered++;
      else soak.expect(false, `${JSON.stringify(request)}: ${answer.text.slice(0, 300)}`);
    }

    async function turn(number) {
      const server = number % 2 === 0 ? "own" : "far";
      const has = (text) => (answer) => !answer.isError && answer.text.includes(text);
      await ask({ server }, has("echo"));
      await ask({ server, search: "sum numbers" }, has("add"));
      await ask({ server, operation: "tools.describe", name: "add" }, has("number"));
      await ask({ server, tool: "echo", args: { text: `turn ${number}` } }, has(`turn ${number}`));
      await ask({ server, tool: "fail" }, ({ isError }) => isError);
    }

    async function half() {
      for (let first = 0; first < TURNS; first += RECONNECT_EACH) {
        for (let next = first; next < first + RECONNECT_EACH; next += AT_ONCE) {
          const count = Math.min(AT_ONCE, first + RECONNECT_EACH - next);
          await Promise.all(Array.from({ length: count }, (_, at) => turn(next + at)));
        }
        const isFine = ({ isError }) => !isError;
        await ask({ server: "own", operation: "reconnect" }, isFine);
        await ask({ server: "far", operation: "reconnect" }, isFine);
        await ask({ server: "big", tool: "text", args: { bytes: 60_000 } }, isFine);
      }
    }

    await half();
    const before = [await soak.count(host), await soak.count(daemon)];
    await half();
    const after = [await soak.count(host), await soak.count(daemon)];
    // A kept answer stays as long as the session.
    soak.compare("adapter", before[0], after[0], { grows: ["files"] });
    soak.compare("gateway", before[1], after[1], { grows: ["files"] });
    soak.figure("requests answered", answered);
    soak.figure("times that it reconnected", (4 * TURNS) / RECONNECT_EACH);
    soak.expect((await host.stop()) === 0, "the adapter did not end well");
    soak.expect((await daemon.stop()) === 0, "the gateway did not end well");
  },
});
