// Clients that send and read a byte a second, and a server that answers a byte at a time.
import { connect } from "node:net";
import { modern } from "test-fixtures";
import { inTurn, statusOf, streamable, withAgent } from "./load.mjs";
import { hostServer, startHost } from "./pipes.mjs";
import { scenario } from "./scenario.mjs";

const CLIENTS = 20;
const ANSWER_BYTES = 8 * 1024 * 1024;
const CALLS = 400;
/** The gateway looks at what is left once in 30 s, and cuts at the second look that finds nothing taken. */
const CUT_WITHIN_MS = 90_000;

await scenario({
  title: "Slow peers",
  about: `${CLIENTS} clients each that send their headers, or their body, a byte a second, and that ask for ${ANSWER_BYTES / 1024 / 1024} MiB as JSON, or as a stream, and read a byte a second; and a server that drips its answers to gateway and adapter. Meanwhile ${CALLS} calls of others go on. Counted before and after all the slow ones were cut off.`,
  found: [
    "An answer as JSON that a client did not read stayed in memory for as long as the client liked. It is cut off now.",
    "A client that read the end of a stream slowly was cut off after 5 s, with its answer unread. It gets all of it now.",
  ],
  async run(soak) {
    const daemon = await soak.daemon({
      server: { transport: ["sse", "unix"] },
      mcp: { max_output: 0, idle_timeout: "2s" },
      mcp_servers: {
        echo: soak.server("echo", ["echo"]),
        big: soak.server("big", ["text"]),
        drips: soak.server("drips", ["drip"], { timeout: "2s" }),
      },
    });
    await withAgent(2, (agent) => callOthers(daemon, agent));
    const first = await streamable(daemon.socket);
    await first.call("drip", { bytes: 1, ms: 1 });
    await first.call("text", { bytes: 1 });
    await first.end();
    await settle();
    const before = await soak.count(daemon);

    const slow = [];
    const timer = setInterval(() => {
      for (const client of slow) client.beat();
    }, 1_000);
    const head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    for (let turn = 0; turn < CLIENTS; turn++) {
      slow.push(
        sends(`${head}X-A: `),
        sends(`${head}Content-Length: 9000\r\n\r\n`),
        reads(asks("application/json")),
        reads(asks("text/event-stream")),
      );
    }
    const begun = performance.now();
    const others = await withAgent(2, (agent) => callOthers(daemon, agent));
    soak.figure("calls of others answered meanwhile", others.answered);
    soak.expect(others.answered === CALLS, "a call of others was not answered");
    const session = await streamable(daemon.socket);
    const dripped = await session.call("drip", { bytes: 60, ms: 2 });
    soak.expect(dripped.text?.length === 60, `a dripped answer: ${JSON.stringify(dripped)}`);
    const endless = await session.call("drip", { bytes: 1_000_000, ms: 5 });
    soak.expect(/did not answer within/.test(endless.error), `an endless one: ${endless.error}`);
    await session.end();
    const host = await startHost(soak, { drips: hostServer(soak, "drips") });
    const told = await host.ask({ server: "drips", tool: "drip", args: { bytes: 60, ms: 2 } });
    soak.expect(
      told.text.includes("x".repeat(60)),
      `a dripped answer, to the adapter: ${told.text}`,
    );
    soak.expect((await host.stop()) === 0, "the adapter did not end well");
    await settle(CUT_WITHIN_MS);
    const seconds = Math.round((performance.now() - begun) / 1000);
    clearInterval(timer);
    soak.figure("slow clients, all cut off", slow.length);
    soak.figure("seconds until the last was", seconds);
    for (const { socket } of slow) socket.destroy();
    soak.compare("gateway", before, await soak.count(daemon));
    soak.expect((await daemon.stop()) === 0, "the gateway did not end well");

    function settle(ms) {
      return soak.until(
        "all slow clients were cut off",
        async () => {
          const { sessions, connections } = await statusOf(daemon.socket);
          return sessions === 0 && connections === 1;
        },
        ms,
      );
    }

    function dial() {
      const socket = connect(Number(daemon.url.port), "127.0.0.1");
      socket.on("error", () => {}); // being cut off is the point
      return socket;
    }
    /** Sends this, and then a byte with each beat. */
    function sends(text) {
      const socket = dial().resume();
      socket.write(text);
      return { socket, beat: () => socket.writable && socket.write("x") };
    }
    /** Sends this, and reads a byte of the answer with each beat. */
    function reads(text) {
      const socket = dial().pause();
      socket.write(text);
      return { socket, beat: () => socket.read(1) };
    }
    function asks(accept) {
      const args = { name: "text", arguments: { bytes: ANSWER_BYTES } };
      const { headers, body } = modern(1, "tools/call", args);
      const lines = Object.entries({ ...headers, accept }).map(
        ([name, value]) => `${name}: ${value}`,
      );
      const json = JSON.stringify(body);
      return `${head}${lines.join("\r\n")}\r\nContent-Length: ${json.length}\r\n\r\n${json}`;
    }
  },
});

/** What clients do that are as they should be. */
async function callOthers(daemon, agent) {
  let answered = 0;
  const session = await streamable(daemon.url, { agent });
  await inTurn(CALLS, 2, async (turn) => {
    const { text } = await session.call("echo", { text: `${turn}` });
    if (text === `${turn}`) answered++;
  });
  await session.end();
  return { answered };
}
