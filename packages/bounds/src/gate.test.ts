import { expect, it } from "vitest";
import { createByteGate } from "./gate.ts";
import { LimitError } from "./limit.ts";

const bytes = (length: number) => new Uint8Array(length);

it("[B2] lets bytes pass up to its maximum and counts them", () => {
  const gate = createByteGate({ maximum: 10, limit: "messageBytes" });
  expect(gate.bytes).toBe(0);
  gate.push(bytes(9));
  gate.push(bytes(0));
  gate.push(bytes(1));
  expect(gate.bytes).toBe(10);
});

it("[B2] [B4] refuses the chunk that crosses, and all after it", () => {
  const gate = createByteGate({ maximum: 10, limit: "messageBytes" });
  gate.push(bytes(10));
  expect(() => gate.push(bytes(1))).toThrow(new LimitError("messageBytes", 10, 11));
  expect(() => gate.push(bytes(0))).toThrow(new LimitError("messageBytes", 10, 11));
  expect(gate.bytes).toBe(11);
});

it("[B4] refuses an unfit maximum", () => {
  expect(() => createByteGate({ maximum: Number.NaN, limit: "messageBytes" })).toThrow(RangeError);
});
