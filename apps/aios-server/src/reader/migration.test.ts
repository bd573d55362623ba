import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder, edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { watchedDisk } from "../../test/disk.ts";
import { createAios, waitForTick, writeFiles } from "../../test/folder.ts";
import { limits } from "../limits.ts";
import { decideMemory } from "../memory/gate.ts";
import { openContained } from "./contained.ts";
import { type Disk, nodeDisk } from "./disk.ts";
import { createInspectionMeter, inspectMigration } from "./migration.ts";

const OWNER = '{\n  "schema": "dotaios.migrations.v1"\n}\n';
const MIGRATIONS = ".dotaios/migrations";
const planId = (at: number) => `migrate-1_1_0-to-1_2_0-${String(at).padStart(16, "0")}`;

function inspect(folder: string, disk: Disk = nodeDisk) {
  const decision = decideMemory({ memory: "shared", project: undefined });
  if (decision.mode === "off") throw new Error("memory is not off here");
  const { access } = decision;
  return inspectMigration(() =>
    openContained(access, { folder, meter: createInspectionMeter(), disk }),
  );
}

async function stateWith(files: Record<string, string | Buffer>) {
  await using folder = createAios(files);
  return inspect(folder.path);
}

async function codeWith(files: Record<string, string | Buffer>) {
  const state = await stateWith(files);
  return state.status === "inspection_failed" ? state.code : state.status;
}

describe("inspectMigration", () => {
  it("[S8] tells a current schema from an outdated one", async () => {
    expect(await stateWith({})).toEqual({
      status: "current",
      folderVersion: "1.2.0",
      supportedVersion: "1.2.0",
    });
    for (const version of ["1.0.0", "1.1.0"])
      expect(await stateWith({ "aios.json": JSON.stringify({ schema_version: version }) })).toEqual(
        {
          status: "schema_outdated",
          folderVersion: version,
          supportedVersion: "1.2.0",
        },
      );
  });

  it.each([
    ['{"schema_version":"1.3.0"}', "FUTURE_SCHEMA"],
    ['{"schema_version":"1.10.0"}', "FUTURE_SCHEMA"],
    ['{"schema_version":"2.0.0"}', "FUTURE_SCHEMA"],
    ['{"schema_version":"0.9.9"}', "UNSUPPORTED_SCHEMA"],
    ['{"schema_version":"1.1.7"}', "UNSUPPORTED_SCHEMA"],
    ['{"schema_version":"1.2"}', "INVALID_SCHEMA"],
    ['{"schema_version":1.2}', "INVALID_SCHEMA"],
    [`{"schema_version":"1.2.${"0".repeat(1_000)}"}`, "INVALID_SCHEMA"],
    ["{}", "INVALID_SCHEMA"],
    ["[]", "INVALID_CONFIG"],
    ["", "INVALID_CONFIG"],
    ['{"schema_version":"1.2.0","schema_version":"1.1.0"}', "INVALID_CONFIG"],
    [Buffer.from([0x7b, 0xff, 0x7d]), "INVALID_CONFIG_ENCODING"],
    [" ".repeat(limits.maxConfigBytes + 1), "CONFIG_TOO_LARGE"],
  ])("[S8] finds in aios.json %#: %s", async (text, code) => {
    expect(await codeWith({ "aios.json": text })).toBe(code);
  });

  it("[S8] says that aios.json is missing or unsafe", async () => {
    await using folder = createTempFolder();
    expect(inspect(folder.path)).toMatchObject({ code: "MISSING_FILE" });
    symlinkSync("/dev/null", join(folder.path, "aios.json"));
    expect(inspect(folder.path)).toMatchObject({ code: "UNSAFE_FILE" });
  });

  it("[S8] sees a transaction before an outdated schema, and no more than that", async () => {
    const state = await stateWith({
      "aios.json": '{"schema_version":"1.1.0"}',
      [`${MIGRATIONS}/owner.json`]: OWNER,
      [`${MIGRATIONS}/transactions/${planId(1)}/journal.json`]: "{}",
    });
    expect(state).toEqual({
      status: "transaction_present",
      folderVersion: "1.1.0",
      supportedVersion: "1.2.0",
    });
  });

  it.each([
    [{ [`${MIGRATIONS}/receipts/x.json`]: "{}" }, "UNOWNED_METADATA"],
    [{ [`${MIGRATIONS}/owner.json`]: OWNER.trim() }, "UNOWNED_METADATA"],
    [{ [`${MIGRATIONS}/owner.json`]: "x".repeat(5_000) }, "UNOWNED_METADATA"],
    [{ [`${MIGRATIONS}/owner.json`]: OWNER }, "STATE_CHANGED"],
    [
      { [`${MIGRATIONS}/owner.json`]: OWNER, [`${MIGRATIONS}/transactions/notes/x`]: "" },
      "UNSAFE_METADATA",
    ],
    [
      { [`${MIGRATIONS}/owner.json`]: OWNER, [`${MIGRATIONS}/transactions/${planId(1)}`]: "file" },
      "UNSAFE_METADATA",
    ],
    [{ ".dotaios": "a file" }, "UNSAFE_METADATA"],
  ])("[S8] fails on metadata it cannot trust: %j", async (files, code) => {
    expect(await codeWith(files)).toBe(code);
  });

  it("[S8] takes empty folders for no transaction", async () => {
    await using folder = createAios();
    mkdirSync(join(folder.path, MIGRATIONS), { recursive: true });
    expect(inspect(folder.path).status).toBe("current");
    writeFiles(folder.path, { [`${MIGRATIONS}/owner.json`]: OWNER });
    mkdirSync(join(folder.path, MIGRATIONS, "transactions"));
    expect(inspect(folder.path).status).toBe("current");
  });

  it("[S8] looks at no more than 16 transactions", async () => {
    const states = edges(limits.maxTransactions).map((count) => {
      const names = Array.from({ length: count }, (_, at) => planId(at));
      return codeWith({
        [`${MIGRATIONS}/owner.json`]: OWNER,
        ...Object.fromEntries(
          names.map((name) => [`${MIGRATIONS}/transactions/${name}/journal.json`, ""]),
        ),
      });
    });
    expect(await Promise.all(states)).toEqual([
      "transaction_present",
      "transaction_present",
      "TOO_MANY_TRANSACTIONS",
    ]);
  });

  it("[S8] looks again at the end and says that the state changed", async () => {
    await using folder = createAios({ [`${MIGRATIONS}/owner.json`]: OWNER });
    mkdirSync(join(folder.path, MIGRATIONS, "transactions"));
    waitForTick(join(folder.path, MIGRATIONS, "transactions"));
    let listed = 0;
    const disk = watchedDisk(({ method }) => {
      if (method !== "entries" || ++listed !== 2) return;
      rmSync(join(folder.path, "aios.json"));
      writeFiles(folder.path, { "aios.json": '{"schema_version":"1.2.0"}' });
    });
    expect(inspect(folder.path, disk)).toEqual({
      status: "inspection_failed",
      code: "STATE_CHANGED",
    });
  });

  it.each([
    [0, "current", 48],
    [16, "transaction_present", 184],
    [17, "inspection_failed", 80],
  ] as const)(
    "[S8] with %i transactions asks the system little, and never for the memory",
    async (count, status, most) => {
      const files = [
        ...Array.from({ length: 512 }, (_, at) => `memory/daily/${at}.md`),
        ...Array.from(
          { length: count },
          (_, at) => `${MIGRATIONS}/transactions/${planId(at)}/backups/x`,
        ),
      ];
      await using folder = createAios({
        ...Object.fromEntries(files.map((path) => [path, ""])),
        [`${MIGRATIONS}/owner.json`]: OWNER,
        [`${MIGRATIONS}/transactions/.keep`]: "",
      });
      rmSync(join(folder.path, MIGRATIONS, "transactions/.keep"));
      const asked: string[] = [];
      const disk = watchedDisk(({ subject }) => void asked.push(String(subject)));
      expect(inspect(folder.path, disk).status).toBe(status);
      expect(asked.length).toBeLessThanOrEqual(most);
      expect(asked.join()).not.toMatch(/memory|migrate-|backups/);
    },
  );

  it("[S8] says that aios.json changed while it was read", async () => {
    await using folder = createAios();
    waitForTick(join(folder.path, "aios.json"));
    const disk = watchedDisk(({ method }) => {
      if (method === "read") writeFiles(folder.path, { "aios.json": '{"schema_version":"1.1.0"}' });
    });
    expect(inspect(folder.path, disk)).toMatchObject({ code: "CONFIG_CHANGED" });
  });

  it.each([
    ["", ".dotaios"],
    [".dotaios", "migrations"],
    [MIGRATIONS, "owner.json"],
    [MIGRATIONS, "transactions"],
    [`${MIGRATIONS}/transactions`, planId(1)],
  ])("[S8] trusts no link in %s, at %s", async (parent, name) => {
    await using outside = createAios({ "migrations/owner.json": OWNER, "owner.json": OWNER });
    await using folder = createAios(
      parent === "" || parent === ".dotaios" ? {} : { [`${MIGRATIONS}/receipts/x.json`]: "{}" },
    );
    if (parent.endsWith("transactions") || name === "transactions")
      writeFiles(folder.path, { [`${MIGRATIONS}/owner.json`]: OWNER });
    mkdirSync(join(folder.path, parent), { recursive: true });
    const target = name === "owner.json" ? "owner.json" : ".";
    symlinkSync(join(outside.path, target), join(folder.path, parent, name));
    expect(inspect(folder.path)).toMatchObject({ code: "UNSAFE_METADATA" });
  });

  it("[S8] takes what the system refuses for a failed inspection", async () => {
    await using folder = createAios();
    const disk = watchedDisk(({ method }) => {
      if (method === "openFile")
        throw Object.assign(new Error("refused"), { code: "EACCES", syscall: "open" });
    });
    expect(inspect(folder.path, disk)).toMatchObject({ code: "INSPECTION_FAILED" });
  });

  it("[S8] never throws: what nobody foresaw is a state as well", async () => {
    const failing = () => {
      throw new TypeError("a bug");
    };
    expect(inspectMigration(failing)).toEqual({
      status: "inspection_failed",
      code: "INSPECTION_FAILED",
    });
  });
});
