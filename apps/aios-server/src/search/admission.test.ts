import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admitWhole, createTurns } from "./admission.ts";

const admit = (demands: number[], total: number) =>
  admitWhole(
    demands.map((demand) => ({ demand })),
    total,
  );

describe("admitWhole", () => {
  it("lets everybody in while there is room, to the last unit", () => {
    expect(admit([40, 30, 30], 100)).toEqual([true, true, true]);
    expect(admit([40, 30, 31], 100)).toEqual([true, true, false]);
    expect(admit([100], 100)).toEqual([true]);
    expect(admit([101], 100)).toEqual([false]);
    expect(admit([], 100)).toEqual([]);
  });

  it("protects a small claimant from a large one in front of it", () => {
    expect(admit([1_000, 25, 25], 100)).toEqual([false, true, true]);
  });

  it("offers what an unserved claimant had reserved to the others once more", () => {
    // Shares of 16: the pool of 52 has no room for 200, and after 50 more none for 60, until 16 come back.
    expect(admit([200, 66, 34], 100)).toEqual([false, true, true]);
  });

  it("does not give back what was spent", () => {
    const claims = [{ demand: 200, spent: 25 }, { demand: 76 }];
    expect(admitWhole(claims, 100)).toEqual([false, false]);
    expect(admitWhole([claims[0]!, { demand: 75 }], 100)).toEqual([false, true]);
  });

  it("never grants more than there is, and always a protected share", () => {
    const claims = fc.array(
      fc.record({ demand: fc.nat(200), ratio: fc.double({ min: 0, max: 1, noNaN: true }) }),
      { maxLength: 9 },
    );
    fc.assert(
      fc.property(claims, fc.nat(400), (asked, total) => {
        const share = Math.floor(total / 2 / Math.max(1, asked.length));
        const spending = asked.map(({ demand, ratio }) => ({
          demand,
          spent: Math.floor(Math.min(demand, share) * ratio),
        }));
        const admitted = admitWhole(spending, total);
        const used = spending.map(({ demand, spent }, at) => (admitted[at] ? demand : spent));
        expect(used.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(total);
        for (const [at, { demand }] of spending.entries())
          if (demand <= share) expect(admitted[at]).toBe(true);
      }),
    );
  });
});

describe("createTurns", () => {
  it("offers each its share and what is left in common, and hands on what was not used", () => {
    const turns = createTurns(100, 2);
    expect(turns.next()).toBe(75);
    turns.settle(75);
    expect(turns.next()).toBe(25);
    turns.settle(5);
    expect(turns.next()).toBe(45);
  });
});
