// The wall clock jumps, forwards and back, while the monotonic clock goes on.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rpc, sampleAios, send } from "test-fixtures";
import { stateless, statusOf, streamable } from "./load.mjs";
import { hostServer, startHost, startNotes } from "./pipes.mjs";
import { ask, scenario } from "./scenario.mjs";

const YEAR_MS = 365 * 24 * 3_600_000;
const JUMPS = [YEAR_MS, -20 * YEAR_MS, 0, 100 * YEAR_MS, -1_000, 0];
const IDLE_MS = 2_000;
const SESSIONS = 20;

await scenario({
  title: "A clock that jumps",
  about: `The wall clock of all three programs jumps ${JUMPS.length} times, by years and by a second, forwards and back. After each jump ${SESSIONS} sessions go on, pinned tools stay, the audit gets its lines, the adapter and the notes server answer as before, and what changes in a note is seen. In the end all idle sessions expire after the time that they have, whatever the clock says. Counted before and after the jumps.`,
  async run(soak) {
    const audit = join(soak.folder, "audit.jsonl");
    const pinned = [{ tool: "add", pin: true }, { tool: "echo" }];
    const daemon = await soak.daemon({
      server: { transport: ["sse", "unix"] },
      mcp: { idle_timeout: `${IDLE_MS}ms` },
      audit: { file: audit },
      mcp_servers: {
        echo: soak.server("echo", [], { allow: pinned }),
        slow: soak.server("dawdles", ["steps"], { timeout: "5s" }),
      },
    });
    const host = await startHost(soak, { echo: hostServer(soak, "echo") });
    const aios = join(soak.folder, "aios");
    cpSync(sampleAios, aios, { recursive: true });
    const note = join(aios, "references", "word.md");
    const notes = await startNotes(soak, aios);
    const programs = [daemon, host, notes];
    let calls = 0;

    async function work(turn) {
      const word = `turn${turn}`;
      for (const session of sessions) {
        const { text, error } = await session.call("echo", { text: word });
        soak.expect(text === word, `after jump ${turn}: ${error}`);
        calls++;
      }
      const { headers } = sessions[0];
      const answer = await send(daemon.socket, { headers, body: rpc("list", "tools/list") });
      const tools = answer.json.result.tools.map(({ name }) => name);
      soak.expect(tools.includes("add"), `a pinned tool is hidden after jump ${turn}`);
      const asked = await host.ask({ server: "echo", tool: "echo", args: { text: word } });
      soak.expect(asked.text.includes(word), `the adapter after jump ${turn}: ${asked.text}`);
      writeFileSync(note, `# Word\n\nthe word is ${word}\n`);
      const found = JSON.stringify(await notes.call("search_aios", { query: word }));
      soak.expect(found.includes(`the word is ${word}`), `the notes after jump ${turn}: ${found}`);
    }

    const sessions = await Promise.all(
      Array.from({ length: SESSIONS }, () => streamable(daemon.socket)),
    );
    await work("before");
    const before = await Promise.all(programs.map(soak.count));
    // It is in flight during all jumps.
    const long = stateless(daemon.url).call("steps", { count: 40, ms: 50 });
    for (const [turn, ms] of JUMPS.entries()) {
      for (const { process } of programs) await ask(process, "shift", ms);
      await work(turn);
    }
    soak.expect((await long).text === "done", "a call that ran during the jumps failed");
    calls++;
    const after = await Promise.all(programs.map(soak.count));
    ["gateway", "adapter", "notes server"].forEach((name, at) => {
      soak.compare(name, before[at], after[at]);
    });
    soak.figure("jumps", JUMPS.length);
    soak.figure("calls answered", calls);

    await ask(daemon.process, "shift", -20 * YEAR_MS);
    const begun = performance.now();
    await soak.until(
      "all idle sessions expire",
      async () => (await statusOf(daemon.socket)).sessions === 0,
    );
    const seconds = (performance.now() - begun) / 1000;
    soak.figure(
      `seconds until all sessions had expired, with ${IDLE_MS / 1000} s each`,
      seconds.toFixed(1),
    );
    soak.expect((await notes.stop()) === 0, "the notes server did not end well");
    soak.expect((await host.stop()) === 0, "the adapter did not end well");
    soak.expect((await daemon.stop()) === 0, "the gateway did not end well");
    const lines = readFileSync(audit, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    soak.figure("audit lines", lines.length);
    soak.expect(lines.length === calls, `${calls} calls, ${lines.length} audit lines`);
    soak.expect(
      lines.every(({ ms }) => ms >= 0 && ms < 60_000),
      "the audit measures with the wall clock",
    );
  },
});
