// Many sessions of every kind, over the port and the socket, with their calls.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { builtBin, sampleAios } from "test-fixtures";
import { inTurn, legacy, stateless, statusOf, streamable, withAgent } from "./load.mjs";
import { scenario } from "./scenario.mjs";

const SESSIONS = 500;
const CALLS = 20;
const CLIENTS = 16;
const IDLE = "2s";

await scenario({
  title: "Many sessions",
  about: `Twice ${SESSIONS} sessions of ${CALLS} calls and more, ${CLIENTS} at a time, over the port and the socket: Streamable HTTP in three revisions, legacy \`/sse\`, and the revision without sessions in folders of its own. Behind the gateway stand an echo, one that keeps a process for each session, and the notes server. Counted after the first half and after the second.`,
  async run(soak) {
    const notes = {
      command: process.execPath,
      args: [builtBin("dotaios-mcp"), "--path", sampleAios],
    };
    const daemon = await soak.daemon({
      server: { transport: ["sse", "unix"] },
      mcp: { idle_timeout: IDLE },
      mcp_servers: {
        echo: soak.server("echo", ["echo", "add"]),
        own: soak.server("echo", ["folder"], { isolation: "session", max_children: CLIENTS }),
        notes: { ...soak.server("echo", ["read_working_context"]), ...notes },
      },
    });
    let answered = 0;
    let wrong = 0;

    async function work(session, turn) {
      for (let call = 0; call < CALLS; call++) {
        const text = `${turn}/${call}`;
        const answer = await session.call("echo", { text });
        answered++;
        if (answer.text !== text) wrong++;
      }
      if (turn % 10 === 0) {
        const [own, read] = await Promise.all([
          session.call("folder"),
          session.call("read_working_context"),
        ]);
        answered += 2;
        if (own.error || read.error) wrong++;
      }
      await session.end();
    }

    const half = () =>
      withAgent(CLIENTS, (agent) =>
        inTurn(SESSIONS, CLIENTS, async (turn) => {
          const door = turn % 2 === 0 ? daemon.url : daemon.socket;
          await work(await open(door, turn, { agent }), turn);
        }),
      );

    function open(door, turn, options) {
      if (turn % 5 === 1) return legacy(door, options);
      if (turn % 5 === 2) {
        const cwd = join(soak.folder, `work-${turn}`);
        mkdirSync(cwd, { recursive: true });
        return stateless(door, { ...options, path: `/mcp?cwd=${encodeURIComponent(cwd)}` });
      }
      const protocolVersion = ["2025-03-26", "2025-06-18", "2025-11-25"][turn % 3];
      return streamable(door, { ...options, protocolVersion });
    }

    const settle = () =>
      soak.until("all sessions and connections ended", async () => {
        const { sessions, connections } = await statusOf(daemon.socket);
        return sessions === 0 && connections === 1;
      });

    await half();
    await settle();
    const before = await soak.count(daemon);
    await half();
    await settle();
    const after = await soak.count(daemon);
    soak.compare("gateway", before, after);
    soak.figure("sessions", 2 * SESSIONS);
    soak.figure("calls answered", answered);
    soak.figure("calls answered wrongly", wrong);
    soak.expect(wrong === 0, `${wrong} calls were answered wrongly`);
    soak.expect((await daemon.stop()) === 0, "the gateway did not end well");
  },
});
