// The system gives the gateway few descriptors, and clients take all of them.
import { connect } from "node:net";
import { sampleAios } from "test-fixtures";
import { stateless, statusOf, streamable } from "./load.mjs";
import { hostServer, startHost, startNotes } from "./pipes.mjs";
import { scenario } from "./scenario.mjs";

const OPEN_FILES = 96;
const CONNECTIONS = 300;
const FLOODS = 5;

/** Runs a command that may have only so many files open. */
const limitedTo = (files) => ["sh", "-c", `ulimit -n ${files} && exec "$@"`, "sh"];

await scenario({
  title: "Few descriptors",
  about: `The gateway may have ${OPEN_FILES} files open, and ${FLOODS} times ${CONNECTIONS} connections come at once. It refuses those that it has no room for and says so, its servers still start and answer, and when the flood is over it takes new ones. The adapter and the notes server work, or fail with a reason, with a few descriptors each. Counted after the first flood and after the last.`,
  found: [
    "Connections beyond the limit, of the configuration or of the system, were dropped without a word in the log.",
    "A gateway whose connections took every descriptor could not start a server, keep an answer or write its audit. It keeps some for that now, and says so at the start.",
    "A server that could not start for want of descriptors, and a note that could not be read, gave no reason, or a wrong one. Both name the limit now.",
    "A second accept that failed would have ended the gateway. It outlives it now.",
  ],
  async run(soak) {
    const daemon = await soak.daemon(
      {
        server: { transport: ["sse", "unix"] },
        mcp: { max_output: { bytes: 1000, lines: 0 }, idle_timeout: "2s" },
        mcp_servers: {
          echo: soak.server("echo", ["echo"]),
          own: soak.server("echo", ["folder"], { isolation: "session", max_children: 3 }),
          big: soak.server("big", ["text"]),
        },
      },
      { under: limitedTo(OPEN_FILES) },
    );
    const kept = stateless(daemon.socket);
    let refused = 0;
    let answered = 0;

    async function flood() {
      const sockets = Array.from({ length: CONNECTIONS }, () =>
        connect(Number(daemon.url.port), "127.0.0.1"),
      );
      const ends = sockets.map((socket) => {
        socket.on("error", () => {}); // being refused is the point
        return new Promise((resolve) => {
          socket.once("close", () => resolve(true));
        });
      });
      let closed = 0;
      for (const end of ends) end.then(() => closed++);
      await soak.until("it takes as many as it has room for", async () => {
        const { connections } = await statusOf(daemon.socket);
        return connections + closed >= CONNECTIONS;
      });
      refused += closed;
      soak.expect(closed > 0 && closed < CONNECTIONS, `${closed} of ${CONNECTIONS} were refused`);
      const [text, own, big] = [
        await kept.call("echo", { text: "x" }),
        await kept.call("folder"),
        await kept.call("text", { bytes: 3_000 }),
      ];
      answered += 3;
      soak.expect(text.text === "x", `a call in the flood: ${text.error}`);
      soak.expect(!own.error, `a server that starts in the flood: ${own.error}`);
      const isKept = big.result?.content.some(({ type }) => type === "resource_link");
      soak.expect(isKept, `an answer that is kept in the flood: ${big.error}`);
      for (const socket of sockets) socket.destroy();
      await Promise.all(ends);
      await settle();
      const session = await streamable(daemon.url);
      const after = await session.call("echo", { text: "after" });
      soak.expect(after.text === "after", `a call after the flood: ${after.error}`);
      answered++;
      await session.end();
      await settle();
    }
    const settle = () =>
      soak.until("the flood is over", async () => {
        const { sessions, connections } = await statusOf(daemon.socket);
        return sessions === 0 && connections === 1;
      });

    await flood();
    const before = await soak.count(daemon);
    for (let turn = 1; turn < FLOODS; turn++) await flood();
    soak.compare("gateway", before, await soak.count(daemon));
    soak.figure("connections refused", refused);
    soak.figure("calls answered in the floods and after", answered);
    const log = daemon.process.printed().stderr;
    soak.expect(/the system allows \d+ open files/.test(log), `no word at the start: ${log}`);
    soak.expect(/refused: \d+ are open/.test(log), `no word of refusals: ${log}`);
    soak.expect(log.split("refused: ").length <= FLOODS + 2, `too many words of refusals: ${log}`);
    soak.expect((await daemon.stop()) === 0, "the gateway did not end well");

    for (const files of [48, 32, 26]) {
      const under = limitedTo(files);
      const host = await startHost(soak, { echo: hostServer(soak, "echo") }, { under });
      const answer = await host.ask({ server: "echo", tool: "echo", args: { text: "few" } });
      soak.figure(
        `the adapter with ${files} descriptors`,
        answer.isError ? answer.text.split("\n")[0] : "answers",
      );
      soak.expect(
        (await host.stop()) === 0,
        `the adapter with ${files} descriptors did not end well`,
      );
      const notes = await startNotes(soak, sampleAios, { under });
      const found = await notes.call("search_aios", { query: "tide" });
      const text = found.result?.content[0].text ?? found.error.message;
      soak.figure(
        `the notes server with ${files} descriptors`,
        found.result && !found.result.isError ? "answers" : text.split("\n")[0],
      );
      soak.expect(
        (await notes.stop()) === 0,
        `the notes server with ${files} descriptors did not end well`,
      );
    }
  },
});
