import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createLineSplitter } from "./lines.ts";
import type { Oversize } from "./oversize.ts";

const numRuns = Number(process.env.FUZZ_RUNS ?? 500);
vi.setConfig({ testTimeout: 30_000 + 2 * numRuns });

type Seen = string | { oversize: number };

function split(chunks: Uint8Array[], maxBytes = 1024, lend = false): Seen[] {
  const seen: Seen[] = [];
  const splitter = createLineSplitter({
    maxBytes,
    lend,
    onLine: (line) => seen.push(line.toString("latin1")),
    onOversize: ({ bytes }) => seen.push({ oversize: bytes }),
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return seen;
}

function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let start = 0;
  for (const length of lengths) {
    chunks.push(bytes.subarray(start, start + length));
    start += length;
  }
  chunks.push(bytes.subarray(start));
  return chunks;
}

function inBytes(text: string): Uint8Array[] {
  return [...Buffer.from(text, "latin1")].map((byte) => Uint8Array.of(byte));
}

describe("lines", () => {
  it("[W8] end at LF or CRLF, and a last line needs neither", () => {
    expect(split([Buffer.from("a\nb\r\nc")])).toEqual(["a", "b", "c"]);
    expect(split(inBytes("a\nb\r\nc"))).toEqual(["a", "b", "c"]);
  });

  it("[W8] keep a CR that does not stand before the LF", () => {
    expect(split([Buffer.from("a\rb\r\r\n")])).toEqual(["a\rb\r"]);
  });

  it("[W8] that are blank are skipped", () => {
    expect(split([Buffer.from("\n\r\n \t\r\na\n\n")])).toEqual(["a"]);
    expect(split([])).toEqual([]);
  });

  it("[W8] lose a byte order mark before them, also one in three chunks", () => {
    expect(split([Buffer.from("\uFEFF{}\n\uFEFF{}\n")])).toEqual(["{}", "{}"]);
    expect(split(inBytes("\xef\xbb\xbf{}\n"))).toEqual(["{}"]);
    expect(split([Buffer.from("\xef\xbb{}\n", "latin1")])).toEqual(["\xef\xbb{}"]);
  });

  it("[W8] that lie in one chunk are views of it", () => {
    const chunk = Buffer.from("first\nsecond\n");
    const lines: Buffer[] = [];
    const splitter = createLineSplitter({
      maxBytes: 100,
      onLine: (line) => lines.push(line),
      onOversize: () => {},
    });
    splitter.push(chunk);
    expect(lines.map((line) => line.buffer === chunk.buffer)).toEqual([true, true]);
  });

  it.each([
    [true, "overwritten"],
    [false, "kept"],
  ])("[W8] of many chunks, lent: %s, are %s when the next one comes", (lend, fate) => {
    const lines: Buffer[] = [];
    const splitter = createLineSplitter({
      maxBytes: 100,
      lend,
      onLine: (line) => lines.push(line),
      onOversize: () => {},
    });
    for (const chunk of ["fir", "st\n", "sec", "ond\n"]) splitter.push(Buffer.from(chunk));
    expect(lines.map(String)).toEqual([fate === "kept" ? "first" : "secon", "second"]);
  });

  it("[W8] keep a character whose bytes come in different chunks", () => {
    const text = "né€😀";
    const lines: string[] = [];
    const splitter = createLineSplitter({
      maxBytes: 100,
      onLine: (line) => lines.push(line.toString("utf8")),
      onOversize: () => {},
    });
    for (const byte of Buffer.from(`${text}\n`)) splitter.push(Uint8Array.of(byte));
    expect(lines).toEqual([text]);
  });
});

describe("a line over its cap", () => {
  it.each(["", "\uFEFF"])(
    "[W8] fails alone: n−1 and n pass, n+1 does not (before them %j)",
    (mark) => {
      const text = `${mark}1234\n${mark}12345\r\n${mark}123456\r\n${mark}12345\n`;
      const seen = ["1234", "12345", { oversize: 6 }, "12345"];
      expect(split([Buffer.from(text)], 5)).toEqual(seen);
      expect(split(inBytes(Buffer.from(text).toString("latin1")), 5)).toEqual(seen);
    },
  );

  it("[W8] is reported once, when it ends, with both its ends and its length", () => {
    const reports: Oversize[] = [];
    const lines: string[] = [];
    const splitter = createLineSplitter({
      maxBytes: 10_000,
      onLine: (line) => lines.push(line.toString()),
      onOversize: (report) => reports.push(report),
    });
    splitter.push(Buffer.from(`before\n${"h".repeat(20_000)}`));
    splitter.push(Buffer.alloc(50_000, "m"));
    expect(reports).toEqual([]);
    splitter.push(Buffer.from(`${"t".repeat(5000)}\nafter\n`));
    expect(lines).toEqual(["before", "after"]);
    expect(reports).toHaveLength(1);
    const [report] = reports;
    expect(report?.bytes).toBe(75_000);
    expect(report?.head.toString()).toBe("h".repeat(4096));
    expect(report?.tail.toString()).toBe("t".repeat(4096));
  });

  it("[W8] is reported at the end of the stream if it never ends", () => {
    expect(split([Buffer.alloc(100, "x"), Buffer.alloc(100, "x")], 50)).toEqual([
      { oversize: 200 },
    ]);
  });
});

describe("fuzzed framing", () => {
  const byte = fc.constantFrom(0x0a, 0x0d, 0x20, 0x61, 0xef, 0xbb, 0xbf, 0xff, 0x00);
  const bytes = fc.array(
    fc.oneof({ weight: 9, arbitrary: byte }, fc.integer({ min: 0, max: 255 })),
    {
      maxLength: 120,
    },
  );
  const lengths = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 20 });

  it("[W8] [P3] gives the same lines as a plain split, whatever the bytes, the chunks and the cap", () => {
    fc.assert(
      fc.property(
        ...[bytes, lengths, fc.integer({ min: 0, max: 20 }), fc.boolean()],
        (input, at, maxBytes, lend) => {
          const whole = Uint8Array.from(input);
          expect(split(cut(whole, at), maxBytes, lend)).toEqual(plainSplit(whole, maxBytes));
        },
      ),
      { numRuns },
    );
  });
});

/** The same rules over the whole text at once. */
function plainSplit(bytes: Uint8Array, maxBytes: number): Seen[] {
  return Buffer.from(bytes)
    .toString("latin1")
    .split("\n")
    .map((line) => line.replace(/^\xef\xbb\xbf/, "").replace(/\r$/, ""))
    .filter((line) => line.length > maxBytes || !/^[ \t\r]*$/.test(line))
    .map((line) => (line.length > maxBytes ? { oversize: line.length } : line));
}
