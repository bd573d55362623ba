import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { ServerSentEvent } from "./event-assembly.ts";
import type { Oversize } from "./oversize.ts";
import { createEventDecoder, encodeComment, encodeEvent, encodeEventPieces } from "./sse.ts";

const numRuns = Number(process.env.FUZZ_RUNS ?? 500);
vi.setConfig({ testTimeout: 30_000 + 2 * numRuns });

interface Decoded {
  readonly events: ServerSentEvent[];
  readonly retries: number[];
  readonly oversizes: Oversize[];
  readonly lastEventId: string;
}

function decode(chunks: readonly Uint8Array[], maxEventBytes = 1024): Decoded {
  const events: ServerSentEvent[] = [];
  const retries: number[] = [];
  const oversizes: Oversize[] = [];
  const decoder = createEventDecoder({
    maxEventBytes,
    onEvent: (event) => events.push(event),
    onRetry: (milliseconds) => retries.push(milliseconds),
    onOversize: (oversize) => oversizes.push(oversize),
  });
  for (const chunk of chunks) decoder.push(chunk);
  decoder.end();
  return { events, retries, oversizes, lastEventId: decoder.lastEventId };
}

function inBytes(text: string): Uint8Array[] {
  return [...Buffer.from(text)].map((byte) => Uint8Array.of(byte));
}

/** What a text decodes to, found alike in one chunk and in single bytes. */
function decodeText(text: string, maxEventBytes?: number): Decoded {
  const whole = decode([Buffer.from(text)], maxEventBytes);
  expect(decode(inBytes(text), maxEventBytes)).toEqual(whole);
  return whole;
}

const event = (data: string, others: Partial<ServerSentEvent> = {}): ServerSentEvent => ({
  event: "message",
  id: "",
  data,
  terminated: true,
  ...others,
});

describe("an event decoder", () => {
  it.each(["\n", "\r", "\r\n"])("[W8] takes %j for a line end", (end) => {
    expect(decodeText(["data: a", "data: b", "", "data: c", "", ""].join(end)).events).toEqual([
      event("a\nb"),
      event("c"),
    ]);
  });

  it("[W8] drops one space behind the colon, and no other", () => {
    expect(decodeText("data:a\n\ndata: b\n\ndata:  c\n\ndata:\td\n\n").events).toEqual(
      ["a", "b", " c", "\td"].map((data) => event(data)),
    );
  });

  it("[W8] takes a line without a colon for a field with an empty value", () => {
    expect(decodeText("data\n\ndata\ndata\n\n").events).toEqual([event(""), event("\n")]);
  });

  it("[W8] keeps characters whose bytes come in different chunks", () => {
    expect(decodeText("data: né€😀\n\n").events).toEqual([event("né€😀")]);
  });

  it("[W8] replaces bytes that are not UTF-8", () => {
    const bytes = Buffer.from("data: \xff\xe2\x82\n\n", "latin1");
    expect(decode([bytes]).events).toEqual([event("\ufffd\ufffd")]);
  });

  it("[W8] drops a byte order mark at the start of the stream only", () => {
    expect(decodeText("\ufeffdata: a\n\n\ufeffdata: b\n\n").events).toEqual([event("a")]);
    expect(decodeText("data: \ufeffa\n\n").events).toEqual([event("\ufeffa")]);
    expect(decode([Buffer.from([0xef, 0xbb])]).events).toEqual([]);
  });

  it("[W8] ignores comments and unknown fields, also in the middle of an event", () => {
    expect(
      decodeText(": ping\n\ndata: a\n:\ndatum: x\n data: x\nDATA: x\ndata: b\n\n").events,
    ).toEqual([event("a\nb")]);
  });

  it("[W8] reads type and id, and keeps the id for later events", () => {
    const text = "event: e\nid: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n";
    expect(decodeText(text).events).toEqual([
      event("a", { event: "e", id: "1" }),
      event("b", { id: "1" }),
      event("c", { id: "" }),
    ]);
  });

  it("[W8] sends no event without data, and takes its id all the same", () => {
    expect(decodeText("event: e\nid: 1\n\n\n\n")).toMatchObject({ events: [], lastEventId: "1" });
    expect(decodeText("event: e\n\ndata: a\n\n").events).toEqual([event("a")]);
  });

  it("[W8] ignores an id with NUL", () => {
    expect(decodeText("id: 1\nid: 2\0\ndata: a\n\n").events).toEqual([event("a", { id: "1" })]);
  });

  it.each([
    ["10", [10]],
    ["0", [0]],
    ["", []],
    ["1.5", []],
    ["-1", []],
    ["1 ", []],
    ["x", []],
    ["9".repeat(400), []],
  ])(
    "[W8] reads %j as a reconnection time only if it is a number in digits alone",
    (value, retries) => {
      expect(decodeText(`retry: ${value}\n`).retries).toEqual(retries);
    },
  );

  it("[W8] delivers what stands at the end without a blank line, and says so", () => {
    const unfinished = event("a", { terminated: false });
    expect(decodeText("data: a").events).toEqual([unfinished]);
    expect(decodeText("data: a\n").events).toEqual([unfinished]);
    expect(decodeText("data: a\r").events).toEqual([unfinished]);
    expect(decodeText("data: a\n\n").events).toEqual([event("a")]);
    expect(decodeText("event: a\n").events).toEqual([]);
  });

  it("[W8] trusts neither half a field at the end nor the id of an unfinished event", () => {
    const text = "id: 1\ndata: a\n\nid: 2\ndata: b\nid: 34";
    expect(decodeText(text)).toMatchObject({
      events: [event("a", { id: "1" }), event("b", { id: "2", terminated: false })],
      lastEventId: "1",
    });
    expect(decodeText("retry: 10").retries).toEqual([]);
  });
});

describe("an event over its cap", () => {
  const lineOf = (bytes: number) => `data: ${"x".repeat(bytes - "data: ".length)}\n\n`;

  it("[W8] fails alone: n−1 and n pass, n+1 does not", () => {
    const { events, oversizes } = decodeText(lineOf(19) + lineOf(20) + lineOf(21) + lineOf(20), 20);
    expect(events.map(({ data }) => data.length)).toEqual([13, 14, 14]);
    expect(oversizes.map(({ bytes }) => bytes)).toEqual([15]);
  });

  it("[W8] counts all its lines, but no comments", () => {
    const comments = `: ${"c".repeat(50)}\n`;
    expect(decodeText(`${comments}data: abcd\n${comments}data: efgh\n\n`, 20).events).toEqual([
      event("abcd\nefgh"),
    ]);
    expect(decodeText("data: abcd\ndata: efghi\n\ndata: ok\n\n", 20)).toMatchObject({
      events: [event("ok")],
      oversizes: [{ bytes: 10 }],
    });
  });

  it("[W8] is reported once, when it ends, with both ends of its data", () => {
    const data = `${"h".repeat(5000)}${"m".repeat(5000)}${"t".repeat(5000)}`;
    const text = `id: 7\ndata: ${data}\nevent: e\n: c\n\ndata: ok\n\n`;
    const { events, oversizes } = decodeText(text, 100);
    expect(events).toEqual([event("ok", { id: "7" })]);
    expect(oversizes).toHaveLength(1);
    expect(oversizes[0]?.bytes).toBe(15_000);
    expect(oversizes[0]?.head.toString()).toBe("h".repeat(4096));
    expect(oversizes[0]?.tail.toString()).toBe("t".repeat(4096));
  });

  it("[W8] is reported at the end of a stream that breaks off", () => {
    expect(decodeText(`data: ${"x".repeat(100)}`, 20).oversizes).toMatchObject([{ bytes: 100 }]);
  });

  it("[W8] may be over by a line that is no data", () => {
    const { events, oversizes } = decodeText(`data: a\nid: ${"x".repeat(100)}\n\ndata: b\n\n`, 20);
    expect(oversizes.map(({ head }) => head.toString())).toEqual(["a"]);
    expect(events.map(({ data }) => data)).toEqual(["b"]);
  });
});

describe("an encoded event", () => {
  const line = fc.string({ unit: "binary" }).map((text) => text.replace(/[\r\n\0]/g, ""));
  const text = fc
    .array(fc.oneof(line, fc.constantFrom("\n", "\r", "\r\n")))
    .map((parts) => parts.join(""));
  const fields = fc.record(
    { event: line.filter((name) => name !== ""), id: line, retry: fc.nat(), data: text },
    { requiredKeys: ["data"] },
  );

  it("[W8] [P3] is read as it was written, with LF for every line end", () => {
    fc.assert(
      fc.property(fields, (written) => {
        const { events, retries } = decode([Buffer.from(encodeEvent(written))], 100_000);
        expect(events).toEqual([
          event(wellFormed(written.data).replace(/\r\n|\r/g, "\n"), {
            event: wellFormed(written.event ?? "message"),
            id: wellFormed(written.id ?? ""),
          }),
        ]);
        expect(retries).toEqual(written.retry === undefined ? [] : [written.retry]);
      }),
    );
  });

  it("[W8] [P3] is the same in pieces", () => {
    fc.assert(
      fc.property(fields, (written) => {
        const pieces = encodeEventPieces({ ...written, data: Buffer.from(written.data) });
        expect(Buffer.concat(pieces).toString()).toBe(Buffer.from(encodeEvent(written)).toString());
      }),
    );
  });

  it("[W8] in pieces holds the data itself, not a copy", () => {
    const data = Buffer.from("{}");
    expect(encodeEventPieces({ data })[1]?.buffer).toBe(data.buffer);
  });

  it.each(["a\nb", "a\rb", "a\0b"])("[W8] refuses %j as an id or a type", (value) => {
    expect(() => encodeEvent({ id: value, data: "" })).toThrow(RangeError);
    expect(() => encodeEvent({ event: value, data: "" })).toThrow(RangeError);
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("[W8] refuses the retry %d", (retry) => {
    expect(() => encodeEvent({ retry, data: "" })).toThrow(RangeError);
  });

  it("[W8] may be a comment, which is no event", () => {
    expect(encodeComment("keep-alive")).toBe(": keep-alive\n\n");
    expect(decodeText(encodeComment("a\ndata: b\r\n\r\ndata: c")).events).toEqual([]);
  });
});

describe("fuzzed streams", () => {
  const part = fc.constantFrom(
    ..."data: |data|id: 7|id|event: e|retry: 5|: c|a|:| |é|\0|\ufeff|\n|\n|\r|\r\n|\n\n".split("|"),
  );
  const stream = fc.array(part, { maxLength: 40 }).map((parts) => Buffer.from(parts.join("")));
  const lengths = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 20 });

  it("[W8] [P3] give the events that the specification names, whatever the chunks", () => {
    fc.assert(
      fc.property(stream, lengths, (bytes, at) => {
        const { events, retries } = decode(cut(bytes, at), 100_000);
        const expected = decodeBySpecification(bytes.toString());
        expect(events.filter(({ terminated }) => terminated)).toEqual(expected.events);
        expect(retries).toEqual(expected.retries);
      }),
      { numRuns },
    );
  });

  it("[W8] [P3] lose no event to a cap that the event keeps to", () => {
    fc.assert(
      fc.property(stream, lengths, fc.integer({ min: 0, max: 30 }), (bytes, at, cap) => {
        const all = decode([bytes], 100_000);
        const capped = decode(cut(bytes, at), cap);
        expect(decode([bytes], cap)).toEqual(capped);
        const { events, oversizes } = capped;
        expect(events.length + oversizes.length).toBeGreaterThanOrEqual(all.events.length);
        expect(all.events.map(({ data }) => data)).toEqual(
          expect.arrayContaining(events.map(({ data }) => data)),
        );
      }),
      { numRuns },
    );
  });
});

/** A lone surrogate has no UTF-8. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const ends = lengths.map((_, index) => lengths.slice(0, index + 1).reduce((a, b) => a + b, 0));
  return [0, ...ends].map((start, index) => bytes.subarray(start, ends[index]));
}

/** WHATWG HTML §9.2.6 step by step, over the whole text. */
function decodeBySpecification(text: string) {
  const events: ServerSentEvent[] = [];
  const retries: number[] = [];
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  let data = "";
  let type = "";
  let id = "";
  for (const line of lines.slice(0, -1)) {
    if (line === "") {
      if (data !== "") events.push(event(data.slice(0, -1), { event: type || "message", id }));
      data = "";
      type = "";
      continue;
    }
    const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "data") data += `${value}\n`;
    if (name === "event") type = value;
    if (name === "id" && !value.includes("\0")) id = value;
    if (name === "retry" && /^[0-9]+$/.test(value)) retries.push(Number(value));
  }
  return { events, retries };
}
