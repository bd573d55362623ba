// The gateway itself is ended and killed while calls run, and started again.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { filesIn, openStream } from "test-fixtures";
import { stateless, streamable } from "./load.mjs";
import { scenario } from "./scenario.mjs";

const ROUNDS = 10;
const CLIENTS = 8;

await scenario({
  title: "The gateway is killed",
  found: [
    "A server that ignores the end of its input outlived a gateway that was killed. The next start ends it now.",
  ],
  about: `${ROUNDS} rounds in which the gateway gets SIGTERM and SIGKILL in turn while ${CLIENTS} sessions call, hold a stream and have kept answers, and a server takes neither the end of its input nor SIGTERM, and is then started again: the same sessions go on, its socket is its own again, and nothing is left of the one before. Counted in the first gateway and in the last.`,
  async run(soak) {
    let daemon = await soak.daemon({
      server: { transport: ["sse", "unix"] },
      mcp: { max_output: { bytes: 1000, lines: 0 } },
      mcp_servers: {
        echo: soak.server("echo", ["echo"]),
        own: soak.server("echo", ["folder"], { isolation: "session" }),
        big: soak.server("big", ["text"]),
        slow: soak.server("dawdles", ["steps"]),
        stubborn: soak.server("stubborn", ["pid"]),
      },
    });
    const door = daemon.socket;
    const state = join(soak.folder, ".local", "state", "wraptool");
    const records = () => readdirSync(state).filter((name) => name.startsWith("daemon-"));
    const spills = () =>
      readdirSync(daemon.temporary).filter((name) => name.startsWith("wraptool-"));
    const sessions = await Promise.all(Array.from({ length: CLIENTS }, () => streamable(door)));
    let stubborn = 0;
    const outcomes = { answered: 0, interrupted: 0, resumed: 0 };

    /** Every session works once; all of it is answered. */
    async function work() {
      for (const [turn, session] of sessions.entries()) {
        const answers = [
          await session.call("echo", { text: `${turn}` }),
          await session.call("folder"),
          await session.call("text", { bytes: 5_000 }),
          await session.call("pid"),
        ];
        stubborn = Number(answers.at(-1).text);
        for (const { error } of answers) soak.expect(!error, `after a start: ${error}`);
        outcomes.answered += answers.length;
      }
    }

    await work();
    const before = await soak.count(daemon);
    for (let round = 0; round < ROUNDS; round++) {
      const signal = round % 2 === 0 ? "SIGTERM" : "SIGKILL";
      const streams = await Promise.all(
        sessions.map(({ headers }) => openStream(door, { headers })),
      );
      const calls = sessions.map((session) =>
        session.call("steps", { count: 100, ms: 100 }).catch(({ code }) => ({ error: code })),
      );
      // Answered after the calls have reached their server.
      await stateless(door).call("echo", { text: "" });
      soak.expect(spills().length === 1, `${spills().length} folders of kept answers`);
      const status = await daemon.stop(signal);
      const answers = await Promise.all(calls);
      await Promise.all(streams.map(({ ended }) => ended));
      outcomes.interrupted += answers.filter(({ error }) => error).length;
      if (signal === "SIGTERM") {
        soak.expect(status === 0, `SIGTERM: status ${status}`);
        soak.expect(!existsSync(door), "SIGTERM left the socket");
        soak.expect(records().length === 0, "SIGTERM left the record");
        soak.expect(spills().length === 0, "SIGTERM left kept answers");
      }
      // After a SIGKILL nobody is left to end the one that ignores the end of its input.
      const left = signal === "SIGKILL" ? [stubborn] : [];
      await soak.until("the servers that take a hint are gone", () =>
        soak.left().every((pid) => left.includes(pid)),
      );
      daemon = await soak.again(daemon);
      await soak.until(
        "the start has ended the stubborn one",
        () => !soak.left().includes(stubborn),
      );
      await soak.until("kept answers of the one before are gone", () => spills().length === 0);
      await work();
      outcomes.resumed += sessions.length;
    }
    soak.compare("gateway", before, await soak.count(daemon));
    await Promise.all(sessions.map((session) => session.end()));
    soak.figure("sessions taken up again", outcomes.resumed);
    soak.figure("calls answered", outcomes.answered);
    soak.figure(
      "calls in flight that ended with an error, and never without a word",
      outcomes.interrupted,
    );
    soak.expect(
      outcomes.interrupted === ROUNDS * CLIENTS,
      "a call in flight was not accounted for",
    );
    soak.expect((await daemon.stop()) === 0, "the gateway did not end well");
    soak.expect(filesIn(state).length === 1, `left in the state folder: ${filesIn(state)}`);
  },
});
