import { createSpillStore, LimitError } from "@core/bounds";
import fc from "fast-check";
import { createTempFolder } from "test-fixtures";
import { describe, expect, it, vi } from "vitest";
import { session } from "../../test/client-session.ts";
import { MAX_SESSION_SPILLS } from "../limits.ts";
import { createSpills } from "./spills.ts";

async function withSpills(
  use: (
    spills: ReturnType<typeof createSpills>,
    store: ReturnType<typeof createSpillStore>,
  ) => Promise<void>,
  quotaBytes = 100_000,
) {
  await using folder = createTempFolder();
  await using store = createSpillStore({ app: "test", quotaBytes, parent: folder.path });
  await use(createSpills(store), store);
}

async function readAll(
  spills: ReturnType<typeof createSpills>,
  owner: ReturnType<typeof session>,
  first: string,
) {
  const pages: string[] = [];
  for (let uri: string | undefined = first; uri !== undefined; ) {
    const page = await spills.read(owner, uri);
    if (page === undefined) throw new Error(`no page ${uri}`);
    pages.push(page.text);
    uri = page.next;
  }
  return pages;
}

describe("createSpills", () => {
  it("[G19] gives a kept text by pages within both limits, which together are the whole", async () => {
    await withSpills(async (spills) => {
      const unit = fc.constantFrom("a", "é", "\n", "😀");
      const text = fc.string({ unit, minLength: 1, maxLength: 60 });
      await fc.assert(
        fc.asyncProperty(
          text,
          fc.integer({ min: 4, max: 20 }),
          fc.integer({ min: 2, max: 5 }),
          async (whole, bytes, lines) => {
            const owner = session();
            const pages = await readAll(
              spills,
              owner,
              await spills.keep(owner, whole, { bytes, lines }),
            );
            expect(pages.join("")).toBe(whole);
            for (const page of pages) {
              expect(Buffer.from(page).length).toBeLessThanOrEqual(bytes);
              expect(page.split("\n").length).toBeLessThanOrEqual(lines);
            }
            owner.end();
          },
        ),
        { numRuns: 60 },
      );
    });
  });

  it("[G19] goes on even where a page could hold nothing, and knows no page that it has not named", async () => {
    await withSpills(async (spills) => {
      const owner = session();
      const uri = await spills.keep(owner, "😀\n\n😀", { bytes: 1, lines: 1 });
      expect(uri).toMatch(/^wraptool:\/\/spill\/[0-9a-f]{32}\?page=1$/);
      expect(await spills.read(owner, uri.replace("page=1", "page=2"))).toBeUndefined();
      expect((await readAll(spills, owner, uri)).join("")).toBe("😀\n\n😀");
      expect(await spills.read(owner, uri.replace("page=1", "page=2"))).toBeDefined();
      for (const odd of ["page=0", "page=01", "page=1&x", "page=-1", "page=9"])
        expect(await spills.read(owner, uri.replace("page=1", odd))).toBeUndefined();
    });
  });

  it("[G19] is unknown to any other session, and goes with its own", async () => {
    await withSpills(async (spills, store) => {
      const owner = session();
      const uri = await spills.keep(owner, "text", { bytes: 0, lines: 0 });
      expect(await spills.read(session(), uri)).toBeUndefined();
      expect(await spills.read(owner, uri)).toEqual({ text: "text", next: undefined });
      owner.end();
      expect(await spills.read(owner, uri)).toBeUndefined();
      await vi.waitFor(() => expect(store.usedBytes).toBe(0));
    });
  });

  it("[G19] gives up a session's oldest texts for newer ones, by number and by space", async () => {
    await withSpills(async (spills) => {
      const owner = session();
      const uris: string[] = [];
      for (let n = 0; n <= MAX_SESSION_SPILLS; n++)
        uris.push(await spills.keep(owner, `${n}`, { bytes: 0, lines: 0 }));
      expect(await spills.read(owner, uris[0] as string)).toBeUndefined();
      expect(await spills.read(owner, uris[1] as string)).toBeDefined();
    });
    await withSpills(async (spills) => {
      const owner = session();
      const first = await spills.keep(owner, "x".repeat(60), { bytes: 0, lines: 0 });
      const second = await spills.keep(owner, "y".repeat(60), { bytes: 0, lines: 0 });
      expect(await spills.read(owner, first)).toBeUndefined();
      expect(await spills.read(owner, second)).toBeDefined();
      const tooLarge = spills.keep(session(), "z".repeat(101), { bytes: 0, lines: 0 });
      await expect(tooLarge).rejects.toThrow(LimitError);
    }, 100);
  });
});
