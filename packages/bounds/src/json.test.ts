import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mutatedJson, RUNS } from "../test/json-texts.ts";
import { type JsonVisitor, scanJson } from "./json.ts";
import { JsonSyntaxError } from "./json-error.ts";
import { LimitError } from "./limit.ts";

type Event = readonly [name: string, fields: object];

/** Every event of a scan, in order. */
function eventsOf(input: string | Uint8Array): Event[] {
  const events: Event[] = [];
  const record = (name: string) => (fields: object) => void events.push([name, fields]);
  scanJson(input, {
    startObject: record("startObject"),
    endObject: record("endObject"),
    startArray: record("startArray"),
    endArray: record("endArray"),
    key: record("key"),
    scalar: record("scalar"),
  });
  return events;
}

function errorOf(input: string | Uint8Array): JsonSyntaxError {
  try {
    scanJson(input, {});
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error("the scan accepted it");
}

/** Builds the value that the events describe, to compare with what `JSON.parse` builds. */
function builtFrom(input: string | Uint8Array): unknown {
  const text = typeof input === "string" ? input : Buffer.from(input).toString();
  const slice = (start: number, end: number) =>
    typeof input === "string"
      ? text.slice(start, end)
      : Buffer.from(input.subarray(start, end)).toString();
  const root: unknown[] = [];
  const around: (unknown[] | Map<string, unknown>)[] = [root];
  let key = "";
  const put = (value: unknown) => {
    const container = around.at(-1)!;
    if (Array.isArray(container)) container.push(value);
    else container.set(key, value);
  };
  const enter = (container: unknown[] | Map<string, unknown>) => {
    put(container);
    around.push(container);
  };
  const visitor: JsonVisitor = {
    startObject: () => enter(new Map()),
    startArray: () => enter([]),
    endObject: () => void around.pop(),
    endArray: () => void around.pop(),
    key: (found) => {
      key = found.key;
      expect(JSON.parse(slice(found.start, found.end))).toBe(key);
    },
    scalar: (scalar) => {
      const lexeme = slice(scalar.start, scalar.end);
      if (scalar.kind === "number") expect(scalar.lexeme).toBe(lexeme);
      put(JSON.parse(lexeme));
    },
  };
  scanJson(input, visitor);
  return root[0];
}

/** A value of `JSON.parse` with its objects as maps, so that `__proto__` is a key like any other. */
function asMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asMaps);
  if (typeof value !== "object" || value === null) return value;
  return new Map(Object.entries(value).map(([key, inner]) => [key, asMaps(inner)]));
}

describe("events", () => {
  it("[B2] reports containers, decoded keys, kinds and number lexemes with their spans", () => {
    expect(eventsOf(' {"a" : [1.0, -2e3, "x"],\n"\\u0062": {} , "c":[true,false,null]}')).toEqual([
      ["startObject", { start: 1, depth: 0 }],
      ["key", { key: "a", start: 2, end: 5, depth: 1, duplicate: false }],
      ["startArray", { start: 8, depth: 1 }],
      ["scalar", { kind: "number", start: 9, end: 12, depth: 2, lexeme: "1.0" }],
      ["scalar", { kind: "number", start: 14, end: 18, depth: 2, lexeme: "-2e3" }],
      ["scalar", { kind: "string", start: 20, end: 23, depth: 2 }],
      ["endArray", { start: 8, end: 24, depth: 1 }],
      ["key", { key: "b", start: 26, end: 34, depth: 1, duplicate: false }],
      ["startObject", { start: 36, depth: 1 }],
      ["endObject", { start: 36, end: 38, depth: 1 }],
      ["key", { key: "c", start: 41, end: 44, depth: 1, duplicate: false }],
      ["startArray", { start: 45, depth: 1 }],
      ["scalar", { kind: "boolean", start: 46, end: 50, depth: 2 }],
      ["scalar", { kind: "boolean", start: 51, end: 56, depth: 2 }],
      ["scalar", { kind: "null", start: 57, end: 61, depth: 2 }],
      ["endArray", { start: 45, end: 62, depth: 1 }],
      ["endObject", { start: 1, end: 63, depth: 0 }],
    ]);
  });

  it("[B2] offsets are UTF-16 units in a text and bytes in bytes", () => {
    const text = '{"é😀":"\u0800",\n"z":7}';
    const spans = (input: string | Uint8Array) =>
      eventsOf(input).flatMap(([name, fields]) => (name === "scalar" ? [fields] : []));
    expect(spans(text)).toEqual([
      { kind: "string", start: 7, end: 10, depth: 1 },
      { kind: "number", start: 16, end: 17, depth: 1, lexeme: "7" },
    ]);
    expect(spans(Buffer.from(text))).toEqual([
      { kind: "string", start: 10, end: 15, depth: 1 },
      { kind: "number", start: 21, end: 22, depth: 1, lexeme: "7" },
    ]);
  });

  it("[B2] finds keys that stand twice once decoded, at any depth, and only in the same object", () => {
    const repeated: string[] = [];
    const text = '{"a":{"b":1,"\\u0062":{"a":0,"a":1}},"c":[{"a":1},{"a":2}],"\\u0061":3}';
    scanJson(text, {
      key: ({ key, duplicate, start }) => void (duplicate && repeated.push(`${key}@${start}`)),
    });
    expect(repeated).toEqual(["b@12", "a@28", "a@58"]);
  });

  it("[B2] keeps two keys apart that differ in a lone surrogate only", () => {
    const duplicates: boolean[] = [];
    scanJson('{"\ud800":1,"\ud801":2}', {
      key: ({ duplicate }) => void duplicates.push(duplicate),
    });
    expect(duplicates).toEqual([false, false]);
  });

  it("[B2] what was reported before an error stands", () => {
    const keys: string[] = [];
    const scan = () => scanJson('{"id":7,"method":', { key: ({ key }) => void keys.push(key) });
    expect(scan).toThrow(JsonSyntaxError);
    expect(keys).toEqual(["id", "method"]);
  });

  it("[B2] passes on what the visitor throws", () => {
    const failure = new Error("enough");
    const scan = () =>
      scanJson("[1]", {
        scalar() {
          throw failure;
        },
      });
    expect(scan).toThrow(failure);
  });

  it("[B2] [P3] describes the value that JSON.parse builds, from a text and from its bytes", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary" }), (json) => {
        const expected = asMaps(JSON.parse(json));
        expect(builtFrom(json)).toEqual(expected);
        expect(builtFrom(Buffer.from(json))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe("acceptance", () => {
  it.each([
    "0",
    "-0",
    "10",
    "0.5",
    "-1.25e+10",
    "1E5",
    "1e-0",
    '""',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00eF"',
    '"\u007f\u2028"',
    "true",
    "false",
    "null",
    "[]",
    "{}",
    " [ ] ",
    "\t\n\r {} \n",
    '{"":0}',
    "[[],{}]",
    '{"a":{"b":[{}]}}',
    '"\ud800"',
  ])("[B2] accepts %j", (text) => {
    expect(() => JSON.parse(text)).not.toThrow();
    scanJson(text, {});
    scanJson(Buffer.from(text), {});
  });

  it.each([
    { text: "", offset: 0, reason: "the text ends too early" },
    { text: "  ", offset: 2, reason: "the text ends too early" },
    { text: "[", offset: 1, reason: "the text ends too early" },
    { text: '{"a"', offset: 4, reason: "the text ends too early" },
    { text: '"ab', offset: 3, reason: "the text ends too early" },
    { text: '"ab\\', offset: 4, reason: "the text ends too early" },
    { text: '"\\u12', offset: 5, reason: "the text ends too early" },
    { text: "-", offset: 1, reason: "the text ends too early" },
    { text: "tru", offset: 3, reason: "the text ends too early" },
    { text: "1.", offset: 2, reason: "the text ends too early" },
    { text: "x", offset: 0, reason: "expected a value" },
    { text: "nul!", offset: 3, reason: "expected a value" },
    { text: "[,]", offset: 1, reason: "expected a value" },
    { text: "[1,]", offset: 3, reason: "expected a value" },
    { text: "+1", offset: 0, reason: "expected a value" },
    { text: ".5", offset: 0, reason: "expected a value" },
    { text: "'a'", offset: 0, reason: "expected a value" },
    { text: '{"a":}', offset: 5, reason: "expected a value" },
    { text: "{a:1}", offset: 1, reason: "expected a key in double quotes" },
    { text: '{"a":1,}', offset: 7, reason: "expected a key in double quotes" },
    { text: '{"a" 1}', offset: 5, reason: "expected a colon" },
    { text: '{"a":1 "b":2}', offset: 7, reason: "expected a comma or the end of the object" },
    { text: '{"a":1]', offset: 6, reason: "expected a comma or the end of the object" },
    { text: "[1 2]", offset: 3, reason: "expected a comma or the end of the array" },
    { text: '[{"a":[1}]', offset: 8, reason: "expected a comma or the end of the array" },
    { text: "-a", offset: 1, reason: "a number is malformed" },
    { text: "1.e5", offset: 2, reason: "a number is malformed" },
    { text: "1e+]", offset: 3, reason: "a number is malformed" },
    { text: "01", offset: 1, reason: "something follows the value" },
    { text: "1 2", offset: 2, reason: "something follows the value" },
    { text: "[]]", offset: 2, reason: "something follows the value" },
    { text: '"a\nb"', offset: 2, reason: "a string holds a raw control character" },
    { text: '"a\u001f"', offset: 2, reason: "a string holds a raw control character" },
    { text: '"\\x"', offset: 2, reason: "an escape in a string is malformed" },
    { text: '"\\u12G4"', offset: 5, reason: "an escape in a string is malformed" },
    { text: '"\\u 123"', offset: 3, reason: "an escape in a string is malformed" },
    { text: "\ufeff{}", offset: 0, reason: "expected a value" },
    { text: "\u00a01", offset: 0, reason: "expected a value" },
    { text: '"é😀" x', offset: 6, reason: "something follows the value" },
  ])("[B2] refuses $text at $offset: $reason", ({ text, offset, reason }) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(errorOf(text)).toMatchObject({ code: "JSON_SYNTAX", offset, reason });
    const byteOffset = Buffer.byteLength(text.slice(0, offset));
    expect(errorOf(Buffer.from(text))).toMatchObject({ offset: byteOffset, reason });
  });

  it("[B2] refuses bytes that are not UTF-8, where the first of them starts", () => {
    const bytes = Buffer.concat([
      Buffer.from('{"é":"'),
      Buffer.from([0xc1, 0xa1]),
      Buffer.from('"}'),
    ]);
    expect(errorOf(bytes)).toMatchObject({ offset: 7, reason: "the bytes are not UTF-8" });
  });

  it("[B2] an error repeats nothing of the text", () => {
    expect(errorOf('{"token":"s3cret"; }').message).toBe(
      "Cannot read JSON at offset 17: expected a comma or the end of the object.",
    );
  });

  it("[B2] [P3] accepts exactly what JSON.parse accepts, of generated and mutated texts", () => {
    fc.assert(
      fc.property(mutatedJson, (text) => {
        expect(accepts(() => scanJson(text, {}))).toBe(accepts(() => JSON.parse(text)));
        const bytes = Buffer.from(text);
        expect(accepts(() => scanJson(bytes, {}))).toBe(
          accepts(() => JSON.parse(bytes.toString())),
        );
      }),
      { numRuns: RUNS },
    );
  });
});

function accepts(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof SyntaxError) return false;
    throw error;
  }
}

describe("long strings", () => {
  const lengths = Array.from({ length: 48 }, (_, index) => index);

  it("[B2] finds the stop of a run of plain characters at every length and every alignment", () => {
    for (const length of lengths)
      for (const shift of [0, 1, 2, 3])
        for (const stop of ['"', "\\n", "\n", "\u0000", "\u001f"]) {
          const json = `"${"é~".repeat(length)}${stop}${"x".repeat(9)}"`;
          const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(json)]).subarray(shift);
          expect(accepts(() => scanJson(bytes, {}))).toBe(accepts(() => JSON.parse(json)));
        }
  });

  it("[B2] no byte but the quote, the backslash and control characters stops a run", () => {
    for (let code = 0x20; code < 0x250; code++) {
      const character = String.fromCharCode(code);
      if (character === '"' || character === "\\") continue;
      scanJson(Buffer.from(JSON.stringify(character.repeat(70))), {});
    }
  });

  it("[B2] reads no further than its bytes, whatever follows them in memory", () => {
    const memory = Buffer.from(`"${"x".repeat(64)}" "${"y".repeat(64)}"`);
    for (const end of [40, 41, 42, 43])
      expect(errorOf(memory.subarray(0, end))).toMatchObject({ offset: end });
  });
});

describe("limits", () => {
  it.each([
    { maxDepth: 3, text: "[[[]]]" },
    { maxDepth: 4, text: "[[[]]]" },
    { maxDepth: 0, text: "1" },
    { maxValues: 4, text: '[1,{"a":2}]' },
    { maxValues: 5, text: '[1,{"a":2}]' },
  ])("[B2] $text is within %o", ({ text, ...limits }) => {
    scanJson(text, {}, limits);
  });

  it("[B2] [B4] one level or one value more is a limit error", () => {
    const deep = () => scanJson("[[[]]]", {}, { maxDepth: 2 });
    expect(deep).toThrow(new LimitError("depth", 2, 3));
    const many = () => scanJson('[1,{"a":2}]', {}, { maxValues: 3 });
    expect(many).toThrow(new LimitError("values", 3, 4));
  });

  it("[B2] [B4] refuses unfit limits", () => {
    expect(() => scanJson("1", {}, { maxDepth: Number.NaN })).toThrow(RangeError);
    expect(() => scanJson("1", {}, { maxValues: -1 })).toThrow(RangeError);
  });

  it("[B2] a million levels overflow nothing", () => {
    const depth = 1_000_000;
    let deepest = 0;
    const visitor: JsonVisitor = {
      scalar: (scalar) => {
        deepest = scalar.depth;
      },
    };
    const mixed = `${'[{"a":'.repeat(depth / 2)}1${"}]".repeat(depth / 2)}`;
    scanJson(mixed, visitor);
    expect(deepest).toBe(depth);
    expect(errorOf(Buffer.from("[".repeat(depth)))).toMatchObject({ offset: depth });
  });

  it.each([31, 32, 33, 63, 64, 65, 96])(
    "[B2] remembers which containers are around at depth %d",
    (depth) => {
      const opens = Array.from({ length: depth }, (_, level) => (level % 3 === 0 ? '{"a":' : "["));
      const closes = opens.map((open) => (open === "[" ? "]" : "}")).toReversed();
      scanJson(`${opens.join("")}1${closes.join("")}`, {});
      for (let level = 0; level < depth; level++) {
        const wrong = closes.with(level, closes[level] === "]" ? "}" : "]");
        expect(errorOf(`${opens.join("")}1${wrong.join("")}`).reason).toMatch(/^expected a comma/);
      }
    },
  );
});
