import fc from "fast-check";
import {
  anyId,
  anyLine,
  builtBin,
  fuzzBatches,
  fuzzRuns,
  missingFrom,
  oddValue,
  startProcess,
} from "test-fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHome, fixture, type Home } from "./session.ts";

const bin = builtBin("travis234-mcp-adapter");
let home: Home;
beforeAll(async () => {
  home = await createHome({ echo: fixture("echo"), odd: { command: "" } });
});
afterAll(() => home[Symbol.asyncDispose]());

const request = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      {
        server: fc.oneof(fc.constantFrom<unknown>("echo", "odd", "none"), oddValue),
        operation: fc.oneof(
          fc.constantFrom<unknown>("tools.list", "tools.search", "tools.describe", "tools.call"),
          fc.constantFrom<unknown>("resources.list", "resources.read", "prompts.get", "reconnect"),
          oddValue,
        ),
        name: fc.oneof(fc.constantFrom<unknown>("echo", "add", "missing"), oddValue),
        arguments: fc.oneof(fc.record({ text: fc.string(), a: oddValue }), oddValue),
        query: oddValue,
        tool: fc.oneof(fc.constantFrom<unknown>("echo", "fail"), oddValue),
        args: oddValue,
        resource: oddValue,
        prompt: oddValue,
      },
      { requiredKeys: ["server"] },
    ),
  },
  fc.constantFrom<unknown>({}, { server: "echo" }, { search: "sum" }),
  oddValue,
);
const env = fc.oneof({ weight: 6, arbitrary: fc.constant<unknown>({ A: "b" }) }, oddValue);
const frame = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      id: anyId,
      method: fc.constant("execute"),
      params: fc.record({ request, env }),
    }),
  },
  fc.record({
    method: fc.constant("cancel"),
    params: fc.oneof(fc.record({ id: anyId }), oddValue),
  }),
  fc.record({ id: anyId, method: oddValue, params: oddValue }, { requiredKeys: [] }),
);

interface Answer {
  readonly id: string | number | null;
  readonly result?: { readonly content: object[]; readonly isError: boolean };
  readonly error?: { readonly code: string; readonly message: string };
}

/** What stands for an answer: the result of a request, or a bad frame's error of a known code. */
function isSound({ result, error }: Answer): boolean {
  if (result !== undefined) return error === undefined && Array.isArray(result.content);
  return /^(?:FRAME_INVALID|ID_IN_USE)$/.test(error?.code ?? "");
}

/** The ids of lines that ask for something without doubt; half a surrogate pair does not come back. */
function executedIn(lines: readonly Buffer[]): string[] {
  return lines.flatMap((line) => {
    const { id, method, params } = parsed(line);
    const isId = typeof id === "string" || Number.isSafeInteger(id);
    const isAsked = method === "execute" && typeof params === "object" && params !== null;
    const text = typeof id === "string" ? Buffer.from(id).toString() : id;
    return isId && isAsked ? [JSON.stringify(text)] : [];
  });
}

function parsed(line: Buffer): { id?: unknown; method?: unknown; params?: unknown } {
  try {
    return JSON.parse(line.toString()) ?? {};
  } catch {
    return {}; // what is no JSON asks for nothing
  }
}

const LAST = "a call that works";
const END = "the end";

describe("lines of any kind from a host", () => {
  it("[A4] [P3] are answered or refused under their ids, and the process goes on until it is told to end", async () => {
    await fuzzBatches(anyLine(frame), { inputs: fuzzRuns(300), size: 1000 }, async (lines) => {
      const args = [bin, "--home", home.path, "--cwd", home.path, "host"];
      await using host = startProcess(process.execPath, args, { env: { PATH: process.env.PATH } });
      const send = (line: Uint8Array | string) => host.child.stdin.write(line);
      for (const line of lines) {
        send(line);
        send("\n");
      }
      // A call that works comes after them all, and its answer after most of theirs.
      const request = { server: "echo", tool: "echo", args: { text: "still here" } };
      send(`${JSON.stringify({ id: LAST, method: "execute", params: { request, env: {} } })}\n`);
      await host.waitFor(/"still here"/);
      send(`${JSON.stringify({ id: END, method: "shutdown" })}\n`);
      expect(await host.exited).toEqual({ status: 0, signal: null });
      const { stdout, stderr } = host.printed();
      expect(stderr).toBe("");
      const [ready, ...answers] = stdout
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line));
      expect(ready).toMatchObject({ method: "ready" });
      expect(answers.at(-1)).toEqual({ id: END, result: {} });
      expect(answers.slice(0, -1).filter((answer) => !isSound(answer))).toEqual([]);
      const answered = answers.map(({ id }) => JSON.stringify(id));
      expect(missingFrom(executedIn(lines), answered)).toEqual([]);
      expect(answers.length).toBeLessThanOrEqual(lines.length + 2);
    });
  });
});
