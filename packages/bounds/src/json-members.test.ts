import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mutatedJson, RUNS } from "../test/json-texts.ts";
import { scanJson } from "./json.ts";
import { JsonSyntaxError } from "./json-error.ts";
import { type JsonMember, readElements, readMembers, readString } from "./json-members.ts";
import { LimitError } from "./limit.ts";

const bytesOf = (text: string) => Buffer.from(text);

/** A member with its spans replaced by what they hold. */
function shown(bytes: Buffer, member: JsonMember): object {
  const { keyStart, keyEnd, valueStart, valueEnd, ...rest } = member;
  return {
    ...rest,
    written: bytes.toString("utf8", keyStart, keyEnd),
    value: bytes.toString("utf8", valueStart, valueEnd),
  };
}

function errorOf(read: () => unknown): JsonSyntaxError {
  try {
    read();
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("readMembers", () => {
  it("[B2] gives keys, kinds and the spans of keys and values", () => {
    const bytes = bytesOf(
      '\n{ "id" : 1.0 ,"\\u006dethod":"a b", "é":[1, 2] ,"o":{ },"t":true,"n":null}\n',
    );
    expect(readMembers(bytes).map((member) => shown(bytes, member))).toEqual([
      { key: "id", kind: "number", duplicate: false, written: '"id"', value: "1.0" },
      {
        key: "method",
        kind: "string",
        duplicate: false,
        written: '"\\u006dethod"',
        value: '"a b"',
      },
      { key: "é", kind: "array", duplicate: false, written: '"é"', value: "[1, 2]" },
      { key: "o", kind: "object", duplicate: false, written: '"o"', value: "{ }" },
      { key: "t", kind: "boolean", duplicate: false, written: '"t"', value: "true" },
      { key: "n", kind: "null", duplicate: false, written: '"n"', value: "null" },
    ]);
  });

  it("[B2] reads a nested object from where its value starts, and looks at nothing behind it", () => {
    const bytes = bytesOf('{"params":{"name":"echo"} nonsense');
    const [member] = readMembers(bytes, bytes.indexOf("{", 1));
    expect(member).toMatchObject({ key: "name", valueStart: 18, valueEnd: 24 });
  });

  it("[B2] opens the objects along a path in the same pass", () => {
    const bytes = bytesOf('{"params":{"name":"x","_meta":{"progressToken":7}},"_meta":{"a":1}}');
    const [params, meta] = readMembers(bytes, undefined, ["params", "_meta"]);
    expect(params!.members!.map(({ key }) => key)).toEqual(["name", "_meta"]);
    expect(params!.members![1]!.members).toMatchObject([{ key: "progressToken", kind: "number" }]);
    expect(meta!.members).toBeUndefined();
    const scalar = readMembers(bytesOf('{"params":[]}'), undefined, ["params"]);
    expect(scalar[0]!.members).toBeUndefined();
  });

  it.each([2, 15, 16, 17, 40])("[B2] finds repeated keys among %d members", (count) => {
    const keys = Array.from({ length: count }, (_, index) => `key ${index}`);
    const repeated = [...keys, "key 0", `key ${count - 1}`, "\\u006bey 1"];
    const bytes = bytesOf(`{${repeated.map((key) => `"${key}":0`).join(",")}}`);
    const duplicates = readMembers(bytes).map(({ duplicate }) => duplicate);
    expect(duplicates).toEqual([...keys.map(() => false), true, true, true]);
  });

  it("[B2] keys that a memo could confuse stay apart", () => {
    const keys = ["", "a", "b", "aa", "ab", "ba", "é", "a\\n", "x".repeat(32), "x".repeat(33)];
    const bytes = bytesOf(`{${keys.map((key) => `"${key}":0`).join(",")}}`);
    for (const _round of [1, 2])
      expect(readMembers(bytes).map(({ key }) => key)).toEqual(
        keys.map((key) => JSON.parse(`"${key}"`)),
      );
  });

  it("[B2] [P3] decodes any key as JSON.parse does, however often it comes", () => {
    const keys = fc.uniqueArray(fc.string({ unit: "binary", maxLength: 40 }), { maxLength: 40 });
    fc.assert(
      fc.property(keys, (names) => {
        const bytes = bytesOf(`{${names.map((name) => `${JSON.stringify(name)}:0`).join(",")}}`);
        expect(readMembers(bytes).map(({ key }) => key)).toEqual(names);
      }),
    );
  });

  it("[B2] ends a string at its quote and refuses control characters, wherever they stand", () => {
    for (let byte = 0; byte < 256; byte++) {
      const isPlain = byte >= 0x20 && byte !== 0x22 && byte !== 0x5c;
      for (let place = 6; place < 15; place++) {
        const bytes = Buffer.from('{"a":"#]!\u007f#]!\u007f#"}');
        bytes[place] = byte;
        if (isPlain) expect(readMembers(bytes, 0)).toMatchObject([{ valueStart: 5, valueEnd: 16 }]);
        else expect(() => readMembers(bytes, 0)).toThrow(JsonSyntaxError);
      }
    }
  });

  it("[B2] may be called while another text is being scanned", () => {
    const lexemes: string[] = [];
    const other = bytesOf(`{"a":"${"z".repeat(90)}","b":2}`);
    scanJson(bytesOf(`[1,"${"y".repeat(80)}",{"k":3}]`), {
      scalar(scalar) {
        expect(readMembers(other).map(({ key }) => key)).toEqual(["a", "b"]);
        if (scalar.kind === "number") lexemes.push(scalar.lexeme);
      },
    });
    expect(lexemes).toEqual(["1", "3"]);
  });

  it.each([4095, 4096, 4097, 100_000])("[B2] reads %d bytes as it reads few", (length) => {
    const bytes = bytesOf(`{"a":"\\n${"#".repeat(length - 16)}","b":1}`);
    expect(bytes.length).toBe(length);
    const [a, b] = readMembers(bytes);
    expect([a?.valueEnd, b?.valueStart]).toEqual([length - 7, length - 2]);
  });

  it("[B2] a view into other memory is read where it lies", () => {
    const json = bytesOf(`{"a":"${"y".repeat(100)}","b":1}`);
    for (const shift of [1, 2, 3, 4, 5]) {
      const memory = new Uint8Array(json.length + 10).fill(0x22);
      memory.set(json, shift);
      const view = memory.subarray(shift, shift + json.length);
      expect(readMembers(view)).toEqual(readMembers(json));
    }
  });

  it.each([
    { text: "", offset: 0, reason: "the text ends too early" },
    { text: "[]", offset: 0, reason: "expected an object" },
    { text: '{"a":1} x', offset: 8, reason: "something follows the value" },
    { text: '{"a":1,}', offset: 7, reason: "expected a key in double quotes" },
    { text: '{"a":[1,{"b":tru}]}', offset: 16, reason: "expected a value" },
    { text: '{"a":"\n"}', offset: 6, reason: "a string holds a raw control character" },
    { text: '{"a":[[}]}', offset: 7, reason: "expected a value" },
    { text: '{"a":1;', offset: 6, reason: "expected a comma or the end of the object" },
  ])("[B2] refuses $text at $offset: $reason", ({ text, offset, reason }) => {
    expect(errorOf(() => readMembers(bytesOf(text)))).toMatchObject({ offset, reason });
  });

  it("[B2] a whole input must be UTF-8 throughout, a nested one in its keys", () => {
    const bytes = Buffer.concat([bytesOf('{"a":"'), Buffer.from([0xff]), bytesOf('","b":1}')]);
    const reason = "the bytes are not UTF-8";
    expect(errorOf(() => readMembers(bytes))).toMatchObject({ offset: 6, reason });
    expect(readMembers(bytes, 0)).toHaveLength(2);
    const badKey = Buffer.concat([bytesOf('{"nam'), Buffer.from([0xc1, 0xa5]), bytesOf('":1}')]);
    expect(errorOf(() => readMembers(badKey, 0))).toMatchObject({ offset: 5, reason });
  });

  it("[B2] [B4] takes as many members as are allowed and not one more, here and along the path", () => {
    const bytes = bytesOf('{"a":{"x":1,"y":2,"z":3},"b":0}');
    expect(readMembers(bytes, undefined, [], 2)).toHaveLength(2);
    expect(readMembers(bytes, undefined, ["a"], 3)).toHaveLength(2);
    expect(() => readMembers(bytes, undefined, [], 1)).toThrow(new LimitError("members", 1, 2));
    expect(() => readMembers(bytes, undefined, ["a"], 2)).toThrow(new LimitError("members", 2, 3));
    expect(() => readMembers(bytes, undefined, [], Number.NaN)).toThrow(RangeError);
  });

  it("[B2] a million levels overflow nothing", () => {
    const deep = `{"a":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`;
    expect(readMembers(bytesOf(deep))).toMatchObject([{ valueStart: 5, valueEnd: 2_000_005 }]);
  });

  it("[B2] [P3] accepts exactly the objects that JSON.parse accepts, and its spans hold their values", () => {
    const members = fc.array(fc.tuple(fc.string({ unit: "binary" }), fc.json()), { maxLength: 5 });
    const objects = members.map(
      (pairs) => `{${pairs.map(([key, json]) => `${JSON.stringify(key)} :${json} `).join(",")}}`,
    );
    const texts = fc.oneof(
      objects,
      mutatedJson,
      mutatedJson.map((json) => `{"a":${json}}`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const bytes = bytesOf(text);
        const expected = parsedObject(bytes);
        if (expected === undefined) {
          errorOf(() => readMembers(bytes));
          return;
        }
        const pairs = readMembers(bytes).map(({ key, valueStart, valueEnd }) => {
          return [key, JSON.parse(bytes.toString("utf8", valueStart, valueEnd))] as const;
        });
        expect(new Map(pairs)).toEqual(new Map(Object.entries(expected)));
      }),
      { numRuns: RUNS },
    );
  });
});

/** The object that `JSON.parse` reads, if it is one. */
function parsedObject(bytes: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === "object" && !Array.isArray(value) ? (value ?? undefined) : undefined;
  } catch {
    // Not JSON.
    return undefined;
  }
}

describe("readElements", () => {
  it("[B2] gives kinds and spans, of a whole input and of a nested array", () => {
    const bytes = bytesOf(' [ {"a":1} ,"b", [ ] ]');
    const elements = [
      { kind: "object", valueStart: 3, valueEnd: 10 },
      { kind: "string", valueStart: 12, valueEnd: 15 },
      { kind: "array", valueStart: 17, valueEnd: 20 },
    ];
    expect(readElements(bytes)).toEqual(elements);
    expect(readElements(bytes, 1)).toEqual(elements);
    expect(readElements(bytes, 17)).toEqual([]);
  });

  it.each([
    { text: "{}", offset: 0, reason: "expected an array" },
    { text: "[1,]", offset: 3, reason: "expected a value" },
    { text: "[1}", offset: 2, reason: "expected a comma or the end of the array" },
    { text: "[1] 2", offset: 4, reason: "something follows the value" },
    { text: "[1,2", offset: 4, reason: "the text ends too early" },
  ])("[B2] refuses $text at $offset: $reason", ({ text, offset, reason }) => {
    expect(errorOf(() => readElements(bytesOf(text)))).toMatchObject({ offset, reason });
  });

  it("[B2] [B4] takes as many elements as are allowed and not one more", () => {
    const bytes = bytesOf("[[1,2,3],0]");
    expect(readElements(bytes, undefined, 2)).toHaveLength(2);
    expect(readElements(bytes, 1, 3)).toHaveLength(3);
    expect(() => readElements(bytes, 1, 2)).toThrow(new LimitError("elements", 2, 3));
    expect(() => readElements(bytes, 1, -1)).toThrow(RangeError);
  });

  it("[B2] [P3] its spans hold the elements", () => {
    fc.assert(
      fc.property(fc.array(fc.json(), { maxLength: 8 }), (jsons) => {
        const bytes = bytesOf(`[${jsons.join(" , ")}]`);
        const slices = readElements(bytes).map(({ valueStart, valueEnd }) =>
          bytes.toString("utf8", valueStart, valueEnd),
        );
        expect(slices).toEqual(jsons);
      }),
    );
  });
});

describe("readString", () => {
  it("[B2] [P3] decodes a string as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const json = JSON.stringify(text);
        const bytes = bytesOf(`[${json}]`);
        for (const _first of [true, false])
          expect(readString(bytes, 1, bytes.length - 1)).toBe(text);
      }),
    );
  });

  it.each([
    { text: "[1]", start: 1, end: 2 },
    { text: '["a"]', start: 1, end: 3 },
    { text: '["a"]', start: 2, end: 4 },
    { text: '["a", "b"]', start: 1, end: 9 },
  ])("[B2] refuses [$start, $end) of $text, which is no string", ({ text, start, end }) => {
    const error = errorOf(() => readString(bytesOf(text), start, end));
    expect(error).toMatchObject({ offset: start, reason: "expected a string" });
  });

  it("[B2] refuses a string that is not UTF-8", () => {
    const bytes = Buffer.concat([bytesOf('"a'), Buffer.from([0xed, 0xa0, 0x80]), bytesOf('"')]);
    const error = errorOf(() => readString(bytes, 0, bytes.length));
    expect(error).toMatchObject({ offset: 2, reason: "the bytes are not UTF-8" });
  });
});
