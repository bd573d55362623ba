// The folders of state, audit and kept answers are read-only from the start, and while the programs run.
import { join } from "node:path";
import { filesIn, run, sampleAios } from "test-fixtures";
import { mountDisk } from "./disk.mjs";
import { streamable } from "./load.mjs";
import { hostServer, startHost, startNotes } from "./pipes.mjs";
import { scenario } from "./scenario.mjs";

const CALLS = 200;

await scenario({
  title: "Read-only folders",
  about: `State, audit, socket and kept answers are to lie on a disk that is read-only: the gateway serves all the same and says what it cannot write, the adapter answers, the notes server notices nothing. Then the disk is made writable and read-only again under them. Counted before and after ${CALLS} calls in each state.`,
  async run(soak) {
    const path = join(soak.folder, "disk");
    const disk = await mountDisk(soak, path, 4 * 1024 * 1024);
    const remount = async (mode) => {
      const [command, ...args] = [...disk.under, "mount", "-o", `remount,${mode}`, path];
      const { status, stderr } = await run(command, args);
      if (status !== 0) throw new Error(`remount ${mode}: ${stderr}`);
    };
    await remount("ro");
    const env = { TMPDIR: path, XDG_STATE_HOME: join(path, "state") };
    const daemon = await soak.daemon(
      {
        server: { transport: "sse" },
        mcp: { max_output: { bytes: 1000, lines: 0 } },
        audit: { file: join(path, "audit.jsonl") },
        mcp_servers: { echo: soak.server("echo", ["echo"]), big: soak.server("big", ["text"]) },
      },
      { under: disk.under, env },
    );
    const servers = { big: hostServer(soak, "big") };
    const host = await startHost(soak, servers, { under: disk.under, env });
    const notes = await startNotes(soak, sampleAios, { under: disk.under, env });
    const said = () => daemon.process.printed().stderr;
    soak.expect(/sessions will not outlive this start/.test(said()), "no word on the session key");
    soak.expect(/cannot write .*daemon-/.test(said()), `no word on the record: ${said()}`);
    const session = await streamable(daemon.url);

    async function work(isWritable) {
      for (let turn = 0; turn < CALLS; turn++) {
        const { text } = await session.call("echo", { text: `${turn}` });
        soak.expect(text === `${turn}`, `a wrong answer: ${text}`);
      }
      const { content } = (await session.call("text", { bytes: 3_000 })).result;
      const isKept = content.some(({ type }) => type === "resource_link");
      soak.expect(isKept === isWritable, `kept: ${JSON.stringify(content).slice(-300)}`);
      const { text } = await host.ask({ server: "big", tool: "text", args: { bytes: 60_000 } });
      soak.expect(
        /could not be written/.test(text) !== isWritable,
        `adapter: ${text.slice(0, 300)}`,
      );
      const read = await notes.call("read_working_context", {});
      soak.expect(
        read.result && !read.result.isError,
        `notes: ${JSON.stringify(read).slice(0, 300)}`,
      );
    }
    const countAll = async () => [
      await soak.count(daemon),
      await soak.count(host),
      await soak.count(notes),
    ];

    await work(false);
    await remount("rw");
    await work(true);
    await remount("ro");
    await work(false);
    const before = await countAll();
    await remount("rw");
    await work(true);
    await remount("ro");
    await work(false);
    const after = await countAll();
    ["gateway", "adapter", "notes server"].forEach((name, at) => {
      soak.compare(name, before[at], after[at]);
    });
    soak.figure("calls answered", 5 * (CALLS + 3));
    await remount("rw");
    soak.expect((await notes.stop()) === 0, "the notes server did not end well");
    soak.expect((await host.stop()) === 0, "the adapter did not end well");
    await session.end();
    soak.expect((await daemon.stop()) === 0, "the gateway did not end well");
    soak.figure("files left on the disk", filesIn(disk.outside()).join(", "));
  },
});
