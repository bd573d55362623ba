import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { createTempFolder, edges } from "test-fixtures";
import { describe, expect, it, vi } from "vitest";
import { MAX_AUDIT_BACKLOG_LINES } from "../limits.ts";
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
  const onFault = (reason: string) => faults.push(reason);
  const audit = createAudit({ ...options, onFault, onRecovery() {} });
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
      onRecovery() {},
    });
    again.record({ ...decision, ms: 4 });
    await again[Symbol.asyncDispose]();
    expect(read("audit.jsonl").map(({ ms }) => ms)).toEqual([3, 4]);
  });
});

describe("an audit that the disk does not take", () => {
  const setUp = () => {
    const folder = createTempFolder();
    const file = join(folder.path, "audit.jsonl");
    const told: (string | number)[] = [];
    const audit = createAudit({
      ...{ file, maxBytes: 10_000_000, keep: 1, now: () => new Date(0) },
      onFault: (reason) => told.push(reason),
      onRecovery: (lost) => told.push(lost),
    });
    const isTold = (count: number) => vi.waitFor(() => expect(told).toHaveLength(count));
    const lines = () => readFileSync(file, "utf8").trimEnd().split("\n");
    return { folder, file, audit, told, isTold, lines };
  };

  it("[G20] stops nothing, is told once, and tells at the end how much is lost", async () => {
    const { folder, file, audit, told } = setUp();
    await using _ = folder;
    mkdirSync(file);
    audit.record(decision);
    audit.record(decision);
    await audit[Symbol.asyncDispose]();
    expect(told).toEqual(["EISDIR", 2]);
  });

  it.skipIf(process.platform !== "linux")(
    "[G20] is written once the disk has room again, and loses nothing",
    async () => {
      const { folder, file, audit, told, isTold, lines } = setUp();
      await using _ = folder;
      symlinkSync("/dev/full", file);
      audit.record({ ...decision, ms: 1 });
      await isTold(1);
      rmSync(file);
      audit.record({ ...decision, ms: 2 });
      await audit[Symbol.asyncDispose]();
      expect(told).toEqual(["ENOSPC", 0]);
      expect(lines().map((line) => JSON.parse(line).ms)).toEqual([1, 2]);
    },
  );

  it.each(edges(MAX_AUDIT_BACKLOG_LINES))(
    "[G20] gives up the oldest of %i lines beyond the limit",
    async (count) => {
      const { folder, file, audit, told, isTold, lines } = setUp();
      await using _ = folder;
      mkdirSync(file);
      for (let ms = 1; ms <= count; ms++) audit.record({ ...decision, ms });
      await isTold(1);
      rmSync(file, { recursive: true });
      await audit[Symbol.asyncDispose]();
      const over = Math.max(0, count - MAX_AUDIT_BACKLOG_LINES);
      expect(told).toEqual(["EISDIR", over]);
      expect(JSON.parse(lines()[0] ?? "").ms).toBe(over + 1);
    },
  );

  it("[G20] begins a line of its own after half a line that a crash has left", async () => {
    const { folder, file, audit, lines } = setUp();
    await using _ = folder;
    appendFileSync(file, '{"time":"1970');
    audit.record(decision);
    await audit[Symbol.asyncDispose]();
    expect(lines()).toHaveLength(2);
    expect(JSON.parse(lines()[1] ?? "")).toMatchObject({ exposed: "e_echo" });
  });
});
