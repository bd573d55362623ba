// The notes server answers a lot, and is ended in each way while it searches.
import { createHash } from "node:crypto";
import { cpSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { filesIn, sampleAios } from "test-fixtures";
import { startNotes } from "./pipes.mjs";
import { scenario } from "./scenario.mjs";

const CALLS = 400;
const ENDS = ["SIGKILL", "SIGTERM", "input", "SIGKILL", "SIGINT", "input"];
const IN_FLIGHT = 50;

await scenario({
  title: "The notes server",
  about: `Twice ${CALLS} searches and readings in one notes server, counted after the first half and after the second. Then it is started ${ENDS.length} times and ended while ${IN_FLIGHT} searches run: killed, by SIGTERM and SIGINT, and by the end of its input. The folder's names, bytes and times are the same before and after.`,
  async run(soak) {
    const folder = join(soak.folder, "aios");
    cpSync(sampleAios, folder, { recursive: true });
    const before = stampOf(folder);
    const notes = await startNotes(soak, folder);
    let answered = 0;

    async function half() {
      for (let turn = 0; turn < CALLS; turn += 10) {
        const asked = Array.from({ length: 10 }, (_, at) =>
          at % 5 === 0
            ? notes.call("read_working_context", {})
            : notes.call("search_aios", { query: `tide ${turn + at}` }),
        );
        for (const { result, error } of await Promise.all(asked)) {
          if (result && !result.isError) answered++;
          else soak.expect(false, `an answer: ${JSON.stringify(error ?? result).slice(0, 300)}`);
        }
      }
    }

    await half();
    const counted = await soak.count(notes);
    await half();
    soak.compare("notes server", counted, await soak.count(notes));
    soak.figure("calls answered", answered);
    soak.expect((await notes.stop()) === 0, "the notes server did not end well");

    let interrupted = 0;
    for (const end of ENDS) {
      const one = await startNotes(soak, folder);
      const searches = Array.from({ length: IN_FLIGHT }, (_, at) =>
        one.call("search_aios", { query: `vessel ${at}` }).then(
          () => true,
          () => false,
        ),
      );
      await Promise.race(searches);
      if (end === "input") one.process.child.stdin.end();
      else one.process.child.kill(end);
      const { status, signal } = await one.process.exited;
      if (end === "input") soak.expect(status === 0, `the end of input: status ${status}`);
      if (end === "SIGKILL") soak.expect(signal === end, `SIGKILL: status ${status}`);
      interrupted += (await Promise.all(searches)).filter((isAnswered) => !isAnswered).length;
      await soak.until("nothing is left of it", () => soak.left().length === 0);
    }
    soak.figure("servers ended while they searched", ENDS.length);
    soak.figure("searches that ended with them", interrupted);
    soak.expect(stampOf(folder) === before, "the folder is not what it was");
  },
});

/** Changes with each name, byte and time of change in a folder. */
function stampOf(folder) {
  const hash = createHash("sha256");
  for (const name of filesIn(folder).sort()) {
    const path = join(folder, name);
    hash.update(`${name}\0${statSync(path).mtimeMs}\0`).update(readFileSync(path));
  }
  return hash.digest("hex");
}
