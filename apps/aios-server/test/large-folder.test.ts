import { MIB } from "@core/bounds";
import { describe, expect, it } from "vitest";
import { createAiosServer } from "../src/server.ts";
import { createAios, writeFiles } from "./folder.ts";

const NOTES = 3_300;
const NOTE_BYTES = 10 * 1024;
const RECORDS = 49_000;

/** A folder as people have it after years: 3,300 notes and 39 MB, 53,000 entries, and one note of 6 MiB. */
function fillFolder(root: string): void {
  const prose = "Weather from the north, tables on the shelf.\n".repeat(NOTE_BYTES / 45);
  const notes = Array.from({ length: NOTES }, (_, at) => [
    `vault/${at % 40}/${at}.md`,
    `# Note ${at}\n\n${at % 500 === 0 ? "The gauge was checked.\n" : ""}${prose}`,
  ]);
  const records = Array.from(
    { length: RECORDS },
    (_, at) => `{"ts":"2026-11-30T10:00:00Z","summary":"record-${at}-kept"}\n`,
  );
  writeFiles(root, {
    ...Object.fromEntries(notes),
    "memory/events.jsonl": records.join(""),
    "context/work.md": "Check the gauge.",
  });
}

describe("a folder of many years", () => {
  it("[S10] is searched whole, and without the one scope that holds a note of 6 MiB", async () => {
    await using folder = createAios();
    fillFolder(folder.path);
    const { searchAios } = createAiosServer({ folder: folder.path, version: "1.0.0" });
    const search = (query: string) => JSON.parse(searchAios({ query, limit: 20, budget: 32_000 }));

    const whole = search("gauge");
    expect(whole).toMatchObject({ complete: true, omissions: [] });
    expect(whole.results.map(({ scope }: { scope: string }) => scope)).toEqual([
      "context",
      ...Array(7).fill("vault"),
    ]);
    expect(search("record-48999-kept").results).toMatchObject([{ scope: "memory" }]);

    writeFiles(folder.path, { "references/export.md": Buffer.alloc(6 * MIB, "gauge ") });
    const most = search("gauge");
    expect(most).toMatchObject({
      complete: false,
      omissions: [{ scope: "references", reason: "file_too_large", inspection: "not_searched" }],
    });
    expect(most.results).toEqual(whole.results);
  });
});
