import { builtBin, run, sampleAios, startProcess } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { limits } from "../src/limits.ts";
import { createAios, snapshotTree } from "./folder.ts";

const bin = builtBin("dotaios-mcp");
const request = (id: number | string, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const call = (id: number, given: object) =>
  request(id, "tools/call", { name: "read_working_context", arguments: given });

/** What the server prints for some input, which then ends. */
async function converse(input: string, folder = sampleAios) {
  const { stdout, ...ran } = await run(process.execPath, [bin, "--path", folder], { input });
  const lines = stdout.split("\n").filter((line) => line !== "");
  return { ...ran, answers: lines.map((line) => JSON.parse(line)) };
}

describe("dotaios-mcp as a process", () => {
  it("[S15] answers each bad line with an error and lives on", async () => {
    const long = `{"jsonrpc":"2.0","id":9,"method":"${"x".repeat(limits.maxLineBytes)}"}`;
    const bad = ["null", "[]", "7", "{", long, "\u0000"];
    const input = bad.map((line, at) => `${line}\n${request(`after ${at}`, "ping")}`).join("");
    const { answers, status, stderr } = await converse(`${input}\n\r\n\ufeff${request(1, "ping")}`);
    const errors = answers.filter(({ error }) => error);
    expect(errors.map(({ error }) => error.code)).toEqual([
      -32600, -32600, -32600, -32700, -32600, -32700,
    ]);
    expect(errors[4]).toMatchObject({
      id: 9,
      error: { message: expect.stringContaining("1048576") },
    });
    const pings = answers.filter(({ result }) => result);
    expect(pings.map(({ id }) => id)).toEqual([...bad.map((_, at) => `after ${at}`), 1]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it("[S15] answers a line that is not UTF-8", async () => {
    await using server = startProcess(process.execPath, [bin, "--path", sampleAios]);
    server.child.stdin.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]));
    await server.waitFor(/-32700/);
    server.child.stdin.end(request(1, "ping"));
    expect((await server.exited).status).toBe(0);
    expect(server.printed().stdout).toContain('{"jsonrpc":"2.0","id":1,"result":{}}\n');
  });

  it("[S2] serves memory off for a folder that is not there, and makes none", async () => {
    await using place = createAios();
    const folder = `${place.path}/none`;
    const before = snapshotTree(place.path);
    const { answers } = await converse(call(1, { memory: "off" }) + call(2, {}), folder);
    expect(JSON.parse(answers[0].result.content[0].text)).toMatchObject({ receipt: "Memory: Off" });
    expect(answers[1].result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^FOLDER_NOT_AIOS: /) }],
    });
    expect(snapshotTree(place.path)).toEqual(before);
  });

  it("[S22] leaves the tree as it was", async () => {
    const before = snapshotTree(sampleAios);
    await converse(call(1, {}) + call(2, { project: "tide" }) + call(3, { project: "none" }));
    expect(snapshotTree(sampleAios)).toEqual(before);
  });

  it("ends when its input does, and when nobody reads its output any more", async () => {
    await using patient = startProcess(process.execPath, [bin, "--path", sampleAios]);
    patient.child.stdin.end();
    expect(await patient.exited).toEqual({ status: 0, signal: null });

    await using talkative = startProcess(process.execPath, [bin, "--path", sampleAios]);
    talkative.child.stdout.destroy();
    talkative.child.stdin.write(request(1, "ping").repeat(50));
    expect(await talkative.exited).toMatchObject({ signal: null });
    expect(talkative.printed().stderr).toBe("");
  });

  it("answers a thousand calls to a client that reads them late", async () => {
    await using server = startProcess(process.execPath, [bin, "--path", sampleAios]);
    server.child.stdout.pause();
    for (let id = 0; id < 1_000; id++) server.child.stdin.write(call(id, { memory: "off" }));
    server.child.stdin.end();
    server.child.stdout.resume();
    await server.exited;
    const ids = server
      .printed()
      .stdout.trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).id);
    expect(ids).toEqual(Array.from({ length: 1_000 }, (_, id) => id));
  });
});
