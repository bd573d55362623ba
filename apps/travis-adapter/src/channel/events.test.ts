import fc from "fast-check";
import { edges } from "test-fixtures";
import { expect, it } from "vitest";
import { watchEvents } from "./events.ts";

const passes = (text: string, maximum: number, isEvents: boolean, size = text.length || 1) => {
  const watch = watchEvents(maximum, isEvents);
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; at += size) watch.push(bytes.subarray(at, at + size));
    return true;
  } catch {
    return false;
  }
};

it("[A31] counts a whole body, or the data of each event of a stream, exactly", () => {
  const body = "x".repeat(10);
  const expected = [false, true, true];
  expect(edges(10).map((maximum) => passes(body, maximum, false))).toEqual(expected);
  for (const events of [
    "event: message\ndata: 1234567890123456\n\ndata: 5678\r\n\r\n",
    "data:1234567890123456\n\n",
    "data: 12345678\ndata: 90123456\n\n",
    "event: 123456789\n\n",
  ])
    expect(edges(16).map((maximum) => passes(events, maximum, true))).toEqual(expected);
});

it("sees ids at the start of a line alone, however the stream is cut", () => {
  const hasId = (text: string, size: number) => {
    const watch = watchEvents(1000, true);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) watch.push(bytes.subarray(at, at + size));
    return watch.hasId;
  };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), (size) => {
      expect(hasId("event: message\nid: 7\ndata: x\n\n", size)).toBe(true);
      expect(hasId("data: id: 7\nevent: id:\nxid: 1\n\n", size)).toBe(false);
    }),
  );
});

it("judges a stream alike however it is cut into chunks, where lines end with LF", () => {
  const line = fc.stringMatching(/^[a-z:]{0,8}$/);
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 1, max: 9 }), (lines, size) => {
      const text = lines.join("\n");
      expect(passes(text, 12, true, size)).toBe(passes(text, 12, true));
    }),
  );
});
