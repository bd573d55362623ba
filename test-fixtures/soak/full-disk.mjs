// The disk of state, audit and kept answers is full, and has room again.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesIn, rpc, send } from "test-fixtures";
import { mountDisk } from "./disk.mjs";
import { streamable } from "./load.mjs";
import { hostServer, startHost } from "./pipes.mjs";
import { scenario } from "./scenario.mjs";

const DISK_BYTES = 4 * 1024 * 1024;
const CALLS = 300;

await scenario({
  title: "A full disk",
  about: `State, audit and kept answers lie on a disk of ${DISK_BYTES / 1024 / 1024} MiB, which is filled to the last byte and emptied again, twice, while ${CALLS} calls run each time; then the gateway is started on the full disk. Answers still come, with a word on what could not be kept; pinned tools that cannot be remembered are hidden; no audit line is lost or broken. The adapter does the same work on the same disk. Counted after the first time and after the second.`,
  found: [
    "A log that goes to a full disk ended the gateway. It goes on now.",
    "A write that the disk took half of broke the audit's line, and the lines meanwhile were lost. They wait now, and the half is taken back.",
    "A session key or a token that could not be written left an empty file, which every later start refused. Nothing is left now.",
    "A pinned tool that could not be remembered stayed hidden after the disk had room again. It is looked at again now.",
    "The adapter left half a record of its servers' processes, which no sweep took away. Nothing is left now.",
    'Commands called a full disk "a fault in this program". They tell what the system refused, and what to do.',
  ],
  async run(soak) {
    const path = join(soak.folder, "disk");
    const disk = await mountDisk(soak, path, DISK_BYTES);
    const env = { TMPDIR: path, XDG_STATE_HOME: join(path, "state") };
    const daemon = await soak.daemon(
      {
        server: { transport: ["sse"] },
        mcp: { max_output: { bytes: 1000, lines: 0 } },
        audit: { file: join(path, "audit.jsonl") },
        mcp_servers: {
          echo: soak.server("echo", ["echo"]),
          big: soak.server("big", ["text"]),
          pinned: soak.server("echo", [], {
            name_prefix: "pinned",
            allow: [{ tool: "add", pin: true }],
          }),
        },
      },
      { under: disk.under, env },
    );
    const host = await startHost(
      soak,
      { big: hostServer(soak, "big") },
      { under: disk.under, env },
    );
    const session = await streamable(daemon.url);
    const tools = async () => {
      const body = rpc("list", "tools/list");
      const answer = await send(daemon.url, { headers: session.headers, body });
      return answer.json.result.tools.map(({ name }) => name);
    };
    const keeps = async () => (await session.call("text", { bytes: 3_000 })).result.content;
    const hostKeeps = async () =>
      (await host.ask({ server: "big", tool: "text", args: { bytes: 60_000 } })).text;
    let calls = 0;
    const work = async () => {
      for (let turn = 0; turn < CALLS; turn++) {
        const { text } = await session.call("echo", { text: `${turn}` });
        soak.expect(text === `${turn}`, `a wrong answer: ${text}`);
      }
      calls += CALLS;
    };
    const countAll = async () => ({ ...(await soak.count(daemon)), files: spillsOf().length });
    const spillsOf = () => filesIn(disk.outside()).filter((name) => name.startsWith("wraptool-"));

    await work();
    const [, , link] = await keeps();
    await hostKeeps();
    calls++;
    soak.expect(link.type === "resource_link", "an answer is not kept though there is room");
    const counts = [];
    for (const isFirst of [true, false]) {
      disk.fill();
      await work();
      const [, note] = await keeps();
      calls++;
      soak.expect(
        /could not be kept: .*disk is full/.test(note.text),
        `on a full disk: ${note.text}`,
      );
      const hostNote = await hostKeeps();
      soak.expect(/could not be written/.test(hostNote), `the adapter: ${hostNote.slice(0, 300)}`);
      if (isFirst)
        soak.expect(!(await tools()).includes("pinned_add"), "a pin that is not kept is trusted");
      const read = await send(daemon.url, {
        headers: session.headers,
        body: rpc("read", "resources/read", { uri: link.uri }),
      });
      soak.expect(read.json.result?.contents?.[0].text.length > 0, "what was kept before is lost");
      disk.free();
      await work();
      soak.expect((await tools()).includes("pinned_add"), "a pinned tool stays hidden");
      const [, , kept] = await keeps();
      calls++;
      soak.expect(
        kept?.type === "resource_link",
        "an answer is not kept though there is room again",
      );
      counts.push([await countAll(), await soak.count(host)]);
    }
    const [[before, hostBefore], [after, hostAfter]] = counts;
    // The session keeps one more answer.
    soak.compare("gateway", before, after, { grows: ["files"] });
    soak.compare("adapter", hostBefore, hostAfter);
    const log = daemon.process.printed().stderr;
    const said = (words) => log.split("\n").filter((line) => line.includes(words)).length;
    soak.figure(
      "warnings that the audit cannot be written, one for each time",
      said("cannot write the audit file"),
    );
    soak.expect(said("cannot write the audit file") === 2, `the audit's warnings: ${log}`);
    soak.expect(said("no line is lost") === 2, `the audit's recoveries: ${log}`);
    soak.expect((await host.stop()) === 0, "the adapter did not end well");

    await session.end();
    soak.expect((await daemon.stop()) === 0, "the gateway did not end well");
    const lines = readFileSync(disk.outside("audit.jsonl"), "utf8").trimEnd().split("\n");
    soak.figure("decisions", calls);
    soak.figure("whole audit lines", lines.filter(isDecision).length);
    soak.expect(lines.every(isDecision), "an audit line is broken");
    soak.expect(lines.length === calls, `${calls} decisions, ${lines.length} audit lines`);
    soak.expect(spillsOf().length === 0, `left: ${spillsOf()}`);

    disk.fill();
    const next = await soak.again(daemon);
    const other = await streamable(next.url);
    const { text } = await other.call("echo", { text: "on a full disk" });
    soak.expect(text === "on a full disk", "a gateway that starts on a full disk does not serve");
    soak.expect(
      /cannot write .*ENOSPC/.test(next.process.printed().stderr),
      "the start does not tell that the disk is full",
    );
    await other.end();
    soak.expect((await next.stop()) === 0, "the gateway on the full disk did not end well");
    const servers = { big: hostServer(soak, "big") };
    const nextHost = await startHost(soak, servers, { under: disk.under, env });
    const answer = await nextHost.ask({ server: "big", tool: "text", args: { bytes: 10 } });
    soak.expect(!answer.isError, "an adapter that starts on a full disk does not answer");
    soak.expect((await nextHost.stop()) === 0, "the adapter on the full disk did not end well");
    const drafts = filesIn(disk.outside()).filter((name) =>
      /\.draft$|\.json\.[0-9a-f]+$/.test(name),
    );
    soak.expect(drafts.length === 0, `half files are left: ${drafts}`);
  },
});

function isDecision(line) {
  try {
    return JSON.parse(line).outcome === "ok";
  } catch {
    return false; // half a line
  }
}
