import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { builtBin, isAlive, run, sampleAios, startProcess } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { createAios, makePipe, snapshotTree, writeFiles } from "./folder.ts";

const bin = builtBin("dotaios-mcp");
const request = (id: number, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const search = (id: number, given: object) =>
  request(id, "tools/call", { name: "search_aios", arguments: given });
const cancel = (id: number) =>
  `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } })}\n`;

/** The ids of what was answered so far, in the order of the answers. */
const idsIn = (printed: string) =>
  printed.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).id]));

/** A folder whose search takes far longer than a ping. */
function createSlowAios() {
  const text = "x tide ".repeat(100_000);
  const notes = Array.from({ length: 60 }, (_, at) => [`vault/${at}.md`, text]);
  return createAios(Object.fromEntries(notes));
}

describe("search_aios through the built server", () => {
  it("[S19] answers ping, and calls of other tools, while a search runs", async () => {
    await using folder = createSlowAios();
    await using server = startProcess(process.execPath, [bin, "--path", folder.path]);
    server.child.stdin.write(search(1, { query: "x tide" }) + request(2, "ping"));
    server.child.stdin.write(
      request(3, "tools/call", { name: "read_working_context", arguments: {} }),
    );
    await server.waitFor(/"id":1/);
    expect(idsIn(server.printed().stdout)).toEqual([2, 3, 1]);
  });

  it("[S19] gives a cancelled search no answer, and goes on with the next", async () => {
    await using folder = createSlowAios();
    await using server = startProcess(process.execPath, [bin, "--path", folder.path]);
    const searches = [1, 2, 3].map((id) => search(id, { query: `x tide ${id}` })).join("");
    server.child.stdin.end(searches + cancel(1) + cancel(2) + cancel(99));
    await server.exited;
    expect(idsIn(server.printed().stdout)).toEqual([3]);
  });

  it("[S19] refuses a second request under the id of one that runs", async () => {
    await using folder = createSlowAios();
    await using server = startProcess(process.execPath, [bin, "--path", folder.path]);
    server.child.stdin.end(search(1, { query: "x tide" }) + request(1, "ping"));
    await server.exited;
    const [refused, answered] = server.printed().stdout.trim().split("\n");
    expect(JSON.parse(refused!)).toMatchObject({ id: 1, error: { code: -32600 } });
    expect(JSON.parse(answered!)).toMatchObject({ id: 1, result: { isError: false } });
  });

  it("[S19] refuses more searches than may wait", async () => {
    await using folder = createSlowAios();
    await using server = startProcess(process.execPath, [bin, "--path", folder.path]);
    const ids = Array.from({ length: 40 }, (_, id) => id);
    for (const id of ids) server.child.stdin.write(search(id, { query: "x tide" }));
    await server.waitFor(/SEARCHES_WAITING/);
    for (const id of ids) server.child.stdin.write(cancel(id));
    server.child.stdin.end();
    expect(await server.exited).toEqual({ status: 0, signal: null });
  });

  it("answers what was asked before its input ended, and then ends with its thread", async () => {
    await using server = startProcess(process.execPath, [bin, "--path", sampleAios]);
    server.child.stdin.end(
      search(1, { query: "datum" }) + search(2, { memory: "off", query: "x" }),
    );
    expect(await server.exited).toEqual({ status: 0, signal: null });
    expect(idsIn(server.printed().stdout).sort()).toEqual([1, 2]);
    expect(server.printed().stderr).toBe("");
    expect(isAlive(server.pid)).toBe(false);
  });

  it("ends at once when nobody reads its output any more, though a search runs", async () => {
    await using folder = createSlowAios();
    await using server = startProcess(process.execPath, [bin, "--path", folder.path]);
    server.child.stdout.destroy();
    server.child.stdin.write(search(1, { query: "x tide" }) + request(2, "ping").repeat(50));
    expect(await server.exited).toMatchObject({ signal: null });
  });

  it("[S9] [S21] answers with two threads, again and after a change, what the command answers with one", async () => {
    const notes = Array.from({ length: 1_500 }, (_, at) => [
      `vault/${at % 12}/${at % 5}/note-${at}.md`,
      `# Note ${at}\n\n${at % 9 === 0 ? "Márea" : "tide"} ${at % 100 === 0 ? "gauge" : ""}\n`,
    ]);
    await using folder = createAios(Object.fromEntries(notes));
    await using server = startProcess(process.execPath, [bin, "--path", folder.path]);
    const command = async (query: string) => {
      const given = ["search", query, "--path", folder.path, "--limit", "20", "--json"];
      const { stdout } = await run(process.execPath, [bin, ...given]);
      return JSON.parse(stdout);
    };
    let id = 0;
    const ask = async (query: string) => {
      server.child.stdin.write(search(++id, { query, limit: 20 }));
      await server.waitFor(new RegExp(`"id":${id}[,}]`));
      const lines = server.printed().stdout.trim().split("\n");
      return JSON.parse(JSON.parse(lines.at(-1)!).result.content[0].text);
    };
    for (const query of ["gauge", "marea", "tide gauge", "nothing of it", "gauge"])
      expect(await ask(query)).toEqual(await command(query));
    writeFiles(folder.path, { "vault/3/3/note-3.md": "# Gauge", "vault/new/a.md": "a gauge" });
    expect(await ask("gauge")).toEqual(await command("gauge"));
    expect((await ask("gauge")).results).toHaveLength(17);
  });

  it("[S3] tells input errors and faults of the thread as results with code and sentence", async () => {
    await using folder = createAios({ "vault/a.md": Buffer.from([0xff]) });
    await using server = startProcess(process.execPath, [bin, "--path", folder.path]);
    server.child.stdin.end(
      search(1, { query: "x" }) + search(2, { query: "x", scope: "projects" }) + search(3, {}),
    );
    await server.exited;
    const answers = server
      .printed()
      .stdout.trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const texts = new Map(answers.map(({ id, result }) => [id, result.content[0].text]));
    expect(answers.every(({ result }) => result.isError)).toBe(true);
    expect(texts.get(1)).toBe(
      "SOURCE_NOT_UTF8: Cannot read a file of the scope vault, because its bytes are not UTF-8; save it as UTF-8",
    );
    expect(texts.get(2)).toMatch(/^SCOPE_NEEDS_PROJECT: /);
    expect(texts.get(3)).toMatch(/^ARGUMENT_TYPE: "query"/);
  });

  it("[S22] leaves the tree as it was, after answers, faults and cancellations", async () => {
    await using folder = createAios({ "vault/a.md": "tide", "memory/events.jsonl": "{broken\n" });
    writeFiles(folder.path, { "memory/sessions/index.jsonl": '{"path":"/x"}\n' });
    makePipe(join(folder.path, "vault/pipe"));
    const before = snapshotTree(folder.path);
    await using server = startProcess(process.execPath, [bin, "--path", folder.path]);
    server.child.stdin.end(
      search(1, { query: "tide" }) + search(2, { query: "tide", scope: "vault" }) + cancel(2),
    );
    await server.exited;
    expect(snapshotTree(folder.path)).toEqual(before);
  });
});

describe("the built files", () => {
  const dist = dirname(bin);
  const MODULE = `["'](?:node:)?fs(?:/promises)?["']`;
  const named = new RegExp(String.raw`import\s*\{([^}]*)\}\s*from\s*${MODULE}`, "g");
  const whole = new RegExp(
    String.raw`(?:import\s+(?:\*\s*as\s+)?|(?:const|let|var)\s+)([\w$]+)\s*(?:from|=\s*(?:await\s+)?(?:import|\w*require)\()\s*${MODULE}`,
    "g",
  );
  const WRITES =
    /^(?:write|append|truncate|ftruncate|mk|rm|unlink|rename|copyFile|cp$|cpSync|link|symlink|[fl]?chmod|[fl]?chown|[fl]?utimes|fsync|fdatasync|createWriteStream)/;

  it("[S22] call nothing of the file system that writes, except in connect's own", () => {
    const built = readdirSync(dist).filter((name) => name.endsWith(".js"));
    const found = built.map((name) => {
      const text = readFileSync(join(dist, name), "utf8");
      const imported = [...text.matchAll(named)].flatMap(([, names = ""]) =>
        names.split(",").map((one) => one.trim().split(/\s+as\s+/)[0]!),
      );
      const called = [...text.matchAll(whole)].flatMap(([, binding = ""]) =>
        [
          ...text.matchAll(new RegExp(String.raw`\b${binding.replace("$", "\\$")}\.(\w+)`, "g")),
        ].map(([, member = ""]) => member),
      );
      return { name, writes: [...imported, ...called].filter((one) => WRITES.test(one)) };
    });
    expect(found.filter(({ writes }) => writes.length > 0).map(({ name }) => name)).toEqual([
      "connect.js",
    ]);
  });

  it("hold the threads beside the server, and its package ships them", () => {
    expect(readdirSync(dist)).toEqual(
      expect.arrayContaining(["search-worker.js", "read-worker.js"]),
    );
  });
});
