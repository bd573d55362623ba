import { describe, expect, it, vi } from "vitest";
import { LimitError } from "./limit.ts";
import { collectPages, type Page } from "./pages.ts";

const generous = { maxPages: 100, maxEntries: 1_000 };

/** A list of `pages` pages of `size` numbers each, whose cursors are page numbers. */
function list(pages: number, size = 2) {
  return vi.fn(async (cursor: string | undefined): Promise<Page<number>> => {
    const page = Number(cursor ?? "0");
    const entries = Array.from({ length: size }, (_, index) => page * size + index);
    return page + 1 < pages ? { entries, nextCursor: String(page + 1) } : { entries };
  });
}

/** A fetch that never answers and does not heed its signal. */
const hang = () => new Promise<never>(() => {});

describe("pages and entries", () => {
  it("[B2] reads all pages in their order, each with the cursor of the one before", async () => {
    const fetchPage = list(3);
    expect(await collectPages(fetchPage, generous)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(fetchPage.mock.calls.map(([cursor]) => cursor)).toEqual([undefined, "1", "2"]);
  });

  it.each([3, 4])("[B2] 3 pages are within a limit of %d", async (maxPages) => {
    expect(await collectPages(list(3), { ...generous, maxPages })).toHaveLength(6);
  });

  it("[B2] [B4] a page over the limit is not fetched", async () => {
    const fetchPage = list(3);
    const collected = collectPages(fetchPage, { ...generous, maxPages: 2 });
    await expect(collected).rejects.toEqual(new LimitError("pages", 2, 3));
    expect(fetchPage).toHaveBeenCalledTimes(2);
  });

  it.each([6, 7])("[B2] 6 entries are within a limit of %d", async (maxEntries) => {
    expect(await collectPages(list(3), { ...generous, maxEntries })).toHaveLength(6);
  });

  it("[B2] [B4] entries over the limit end the list after their page", async () => {
    const fetchPage = list(3);
    const collected = collectPages(fetchPage, { ...generous, maxEntries: 3 });
    await expect(collected).rejects.toEqual(new LimitError("entries", 3, 4));
    expect(fetchPage).toHaveBeenCalledTimes(2);
  });

  it("[B2] takes a page of many entries without spreading it over the stack", async () => {
    const entries = new Array<number>(1_000_000).fill(0);
    const limits = { maxPages: 1, maxEntries: 1_000_000 };
    expect(await collectPages(async () => ({ entries }), limits)).toHaveLength(1_000_000);
  });

  it("[B4] refuses unfit limits", async () => {
    await expect(collectPages(list(1), { ...generous, maxPages: -1 })).rejects.toThrow(RangeError);
    await expect(collectPages(list(1), { ...generous, maxEntries: Number.NaN })).rejects.toThrow(
      RangeError,
    );
    await expect(collectPages(list(1), { ...generous, deadlineMs: -5 })).rejects.toThrow(
      RangeError,
    );
  });

  it("[B2] passes on what a fetch rejects with", async () => {
    const failure = new Error("no list");
    await expect(collectPages(() => Promise.reject(failure), generous)).rejects.toBe(failure);
  });
});

describe("cursors", () => {
  it.each([{ cursors: ["a", "a"] }, { cursors: ["a", "b", "c", "a"] }, { cursors: ["", ""] }])(
    "[B2] [B4] the repetition in $cursors is refused, whichever earlier one it is",
    async ({ cursors }) => {
      const rest = cursors.values();
      const fetchPage = vi.fn(async () => ({ entries: [], nextCursor: rest.next().value }));
      await expect(collectPages(fetchPage, generous)).rejects.toEqual(
        new LimitError("repeatedCursor", 1, 2),
      );
      expect(fetchPage).toHaveBeenCalledTimes(cursors.length);
    },
  );

  it("[B2] the empty cursor is one; only a missing cursor ends the list", async () => {
    const pages: Page<string>[] = [{ entries: ["a"], nextCursor: "" }, { entries: ["b"] }];
    const fetchPage = async (cursor: string | undefined) => pages[cursor === undefined ? 0 : 1]!;
    expect(await collectPages(fetchPage, generous)).toEqual(["a", "b"]);
  });
});

describe("deadline", () => {
  it.each([99, 100])("[B2] a list that took %d of 100 ms keeps to it", async (elapsed) => {
    let time = 5_000;
    const fetchPage = async () => {
      time += elapsed;
      return { entries: [1] };
    };
    const limits = { ...generous, deadlineMs: 100, now: () => time };
    expect(await collectPages(fetchPage, limits)).toEqual([1]);
  });

  it("[B2] [B4] a list that took 101 of 100 ms over its pages is late", async () => {
    let time = 5_000;
    const fetchPage = async (cursor: string | undefined) => {
      time += cursor === undefined ? 60 : 41;
      return { entries: [1], nextCursor: `${cursor}+` };
    };
    const limits = { ...generous, deadlineMs: 100, now: () => time };
    await expect(collectPages(fetchPage, limits)).rejects.toEqual(
      new LimitError("deadline", 100, 101),
    );
  });

  it("[B2] ends a fetch that never answers, and tells it so", async () => {
    let seen: AbortSignal | undefined;
    const fetchPage = (_cursor: string | undefined, signal: AbortSignal) => {
      seen = signal;
      return hang();
    };
    const collected = collectPages(fetchPage, { ...generous, deadlineMs: 5 });
    await expect(collected).rejects.toMatchObject({ limit: "deadline", maximum: 5 });
    expect(seen?.aborted).toBe(true);
  });

  it("[B2] a deadline longer than any timer does not fire at once", async () => {
    expect(await collectPages(list(2), { ...generous, deadlineMs: 2 ** 40 })).toHaveLength(4);
  });
});

describe("cancellation", () => {
  it("[B2] a list that is cancelled already fetches nothing", async () => {
    const fetchPage = list(1);
    const signal = AbortSignal.abort(new Error("gone"));
    await expect(collectPages(fetchPage, { ...generous, signal })).rejects.toThrow("gone");
    expect(fetchPage).not.toHaveBeenCalled();
  });

  it("[B2] cancelling ends a fetch that never answers, and tells it so", async () => {
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    const fetchPage = (_cursor: string | undefined, signal: AbortSignal) => {
      seen = signal;
      queueMicrotask(() => controller.abort(new Error("gone")));
      return hang();
    };
    const collected = collectPages(fetchPage, { ...generous, signal: controller.signal });
    await expect(collected).rejects.toThrow("gone");
    expect(seen?.reason).toBe(controller.signal.reason);
  });

  it("[B2] cancelling between two pages ends the list with the signal's reason", async () => {
    const controller = new AbortController();
    const fetchPage = vi.fn(async () => {
      controller.abort();
      return { entries: [1], nextCursor: "next" };
    });
    const collected = collectPages(fetchPage, { ...generous, signal: controller.signal });
    await expect(collected).rejects.toBe(controller.signal.reason);
    expect(fetchPage).toHaveBeenCalledTimes(1);
  });

  it("[B2] a fetch that fails because it was cancelled does not hide the reason", async () => {
    const controller = new AbortController();
    const fetchPage = (_cursor: string | undefined, signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("connection lost")));
        controller.abort(new Error("gone"));
      });
    const collected = collectPages(fetchPage, { ...generous, signal: controller.signal });
    await expect(collected).rejects.toThrow("gone");
  });

  it("[B2] leaves no listener on the caller's signal", async () => {
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, "removeEventListener");
    const added = vi.spyOn(signal, "addEventListener");
    await collectPages(list(3), { ...generous, signal });
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });
});
