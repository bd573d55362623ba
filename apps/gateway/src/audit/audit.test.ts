import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { createAudit, type Decision } from "./audit.ts";

const decision: Decision = {
  session: "s",
  server: "echo",
  exposed: "e_echo",
  upstream: "echo",
  rule: "allow[0]",
  outcome: "ok",
  ms: 1,
  bytes: 2,
};

async function audited(count: number, limits: { maxBytes: number; keep: number }) {
  const folder = createTempFolder();
  const file = join(folder.path, "state", "audit.jsonl");
  const faults: string[] = [];
  const options = { file, ...limits, now: () => new Date(0) };
  const audit = createAudit({ ...options, onFault: (reason) => faults.push(reason) });
  for (let ms = 1; ms <= count; ms++) audit.record({ ...decision, ms });
  await audit[Symbol.asyncDispose]();
  const read = (name: string) =>
    readFileSync(join(folder.path, "state", name), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  return {
    folder,
    file,
    faults,
    read,
    names: () => readdirSync(join(folder.path, "state")).sort(),
  };
}

describe("createAudit", () => {
  it("[G20] writes one line a decision with the named fields, of mode 0600", async () => {
    const { folder, file, read } = await audited(3, { maxBytes: 10_000, keep: 2 });
    await using _ = folder;
    expect(read("audit.jsonl").map(({ ms }) => ms)).toEqual([1, 2, 3]);
    expect(Object.keys(read("audit.jsonl")[0])).toEqual(
      "time session server exposed upstream rule outcome ms bytes".split(" "),
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("[G20] puts a full file aside and keeps so many, the newest first", async () => {
    const line = `${JSON.stringify({ time: new Date(0).toISOString(), ...decision })}\n`.length;
    const { folder, read, names } = await audited(7, { maxBytes: 2 * line, keep: 2 });
    await using _ = folder;
    expect(names()).toEqual(["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2"]);
    const kept = names().map((name) => read(name).map(({ ms }) => ms));
    expect(kept).toEqual([[7], [5, 6], [3, 4]]);
  });

  it("[G20] keeps no older file where keep is 0, and goes on with a file that exists", async () => {
    const { folder, file, read, names } = await audited(3, { maxBytes: 1, keep: 0 });
    await using _ = folder;
    expect(names()).toEqual(["audit.jsonl"]);
    const again = createAudit({
      file,
      maxBytes: 10_000,
      keep: 0,
      now: () => new Date(0),
      onFault() {},
    });
    again.record({ ...decision, ms: 4 });
    await again[Symbol.asyncDispose]();
    expect(read("audit.jsonl").map(({ ms }) => ms)).toEqual([3, 4]);
  });

  it("says once that it cannot write, and stops nothing", async () => {
    const faults: string[] = [];
    const audit = createAudit({
      file: "/dev/null/audit.jsonl",
      maxBytes: 100,
      keep: 1,
      now: () => new Date(0),
      onFault: (reason) => faults.push(reason),
    });
    audit.record(decision);
    audit.record(decision);
    await audit[Symbol.asyncDispose]();
    expect(faults).toHaveLength(1);
  });
});
