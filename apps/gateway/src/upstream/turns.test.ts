import { describe, expect, it } from "vitest";
import { createTurns } from "./turns.ts";

describe("createTurns", () => {
  it("runs what stands under one key in order, whatever becomes of it, and other keys at once", async () => {
    const inTurn = createTurns();
    const order: string[] = [];
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const first = inTurn("a", async () => {
      await gate;
      order.push("a1");
      throw new Error("a1 failed");
    });
    const second = inTurn("a", async () => order.push("a2"));
    await inTurn("b", async () => order.push("b1"));
    expect(order).toEqual(["b1"]);
    go();
    await expect(first).rejects.toThrow("a1 failed");
    await second;
    expect(order).toEqual(["b1", "a1", "a2"]);
  });
});
