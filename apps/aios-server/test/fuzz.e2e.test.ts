import fc from "fast-check";
import {
  anyId,
  anyLine,
  builtBin,
  fuzzBatches,
  fuzzRuns,
  missingFrom,
  oddValue,
  run,
  sampleAios,
} from "test-fixtures";
import { describe, expect, it } from "vitest";

const bin = builtBin("dotaios-mcp");

const argument = fc.oneof(
  fc.constantFrom<unknown>("shared", "project", "off", "tide", "all", "notes", "chart", 300, 4000),
  oddValue,
);
const tool = fc.oneof(
  fc.constantFrom<unknown>("read_working_context", "search_aios", "resolve_skill"),
  oddValue,
);
const args = fc.dictionary(
  fc.oneof(
    fc.constantFrom("memory", "project", "limit", "budget", "query", "scope", "intent"),
    fc.constantFrom("__proto__", "constructor", "Memory", ""),
  ),
  argument,
  { maxKeys: 5 },
);
const params = fc.oneof(
  fc.record({ name: tool, arguments: fc.oneof({ weight: 4, arbitrary: args }, oddValue) }),
  fc.record({ protocolVersion: oddValue, capabilities: oddValue, clientInfo: oddValue }),
  fc.record({ requestId: anyId, _meta: oddValue, cursor: oddValue }, { requiredKeys: [] }),
  oddValue,
);
const method = fc.oneof(
  { weight: 3, arbitrary: fc.constant<unknown>("tools/call") },
  fc.constantFrom<unknown>("initialize", "ping", "tools/list", "server/discover"),
  fc.constantFrom<unknown>("notifications/cancelled", "notifications/initialized", "toString"),
  oddValue,
);
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant<unknown>("2.0") }, oddValue),
    id: anyId,
    method,
    params,
  },
  { requiredKeys: [] },
);

interface Answer {
  readonly jsonrpc: unknown;
  readonly id: unknown;
  readonly result?: object;
  readonly error?: { code: number; message: string };
}

/** One result or one error, and never that of an exception. */
function isSound({ jsonrpc, result, error }: Answer): boolean {
  return (
    jsonrpc === "2.0" && (result === undefined) !== (error === undefined) && error?.code !== -32603
  );
}

/** The ids that have to be answered, for what is a request without doubt. */
function idsOf(lines: readonly Uint8Array[]): string[] {
  return lines.flatMap((bytes) => {
    const value = parse(bytes);
    if (typeof value !== "object" || value === null) return [];
    const { jsonrpc, id: own, method: name } = value as Record<string, unknown>;
    const isId = typeof own === "string" || Number.isSafeInteger(own);
    return jsonrpc === "2.0" && typeof name === "string" && isId ? [JSON.stringify(own)] : [];
  });
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined; // what is no JSON has no id
  }
}

const LAST = "the last of the batch";

describe("lines of any kind on stdin", () => {
  it("[S15] [P3] are each answered under their id or refused, and the server lives on", async () => {
    await fuzzBatches(anyLine(message), { inputs: fuzzRuns(400), size: 1000 }, async (lines) => {
      const ping = { jsonrpc: "2.0", id: LAST, method: "ping" };
      const input = Buffer.concat(
        [...lines, Buffer.from(JSON.stringify(ping))].flatMap((one) => [one, Buffer.from("\n")]),
      );
      const ran = await run(process.execPath, [bin, "--path", sampleAios], { input });
      expect([ran.status, ran.signal, ran.stderr]).toEqual([0, null, ""]);
      const answers = ran.stdout.split("\n").filter((one) => one !== "");
      const parsed = answers.map((one) => JSON.parse(one) as Answer);
      expect(parsed.filter((answer) => !isSound(answer))).toEqual([]);
      const answered = parsed.map((answer) => JSON.stringify(answer.id));
      // What is no request may be refused under the id that it has, too.
      expect(missingFrom([...idsOf(lines), JSON.stringify(LAST)], answered)).toEqual([]);
      expect(answers.length).toBeLessThanOrEqual(lines.length + 1);
    });
  });
});
