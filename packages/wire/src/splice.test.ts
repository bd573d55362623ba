import { readMembers } from "@core/bounds";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editMembers, onOneLine, splice, spliceInPlace } from "./splice.ts";

describe("splice", () => {
  const bytes = Buffer.from("0123456789");
  const spliced = (...edits: [number, number, string | Uint8Array][]) =>
    splice(
      bytes,
      edits.map(([start, end, text]) => ({ start, end, text })),
    ).toString();

  it("[G11] returns the bytes themselves if there is nothing to do", () => {
    expect(splice(bytes, [])).toBe(bytes);
  });

  it("[G11] replaces, removes and puts in, in any order, at both ends and beside each other", () => {
    expect(spliced([8, 10, "é"], [0, 1, ""], [3, 3, "new"])).toBe("12new34567é");
    expect(spliced([2, 4, "a"], [4, 5, Buffer.from("b")])).toBe("01ab56789");
    expect(spliced([10, 10, "!"])).toBe("0123456789!");
    expect(bytes.toString()).toBe("0123456789");
  });

  it("[G11] keeps the order of edits at one offset", () => {
    expect(spliced([1, 1, "a"], [1, 1, "b"], [1, 3, "c"])).toBe("0abc3456789");
  });

  it("[G11] [P3] gives what cutting and joining gives", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 4 }),
      fc.constantFrom("x".repeat(32), "x".repeat(33), `${"x".repeat(31)}é`),
    );
    const piece = fc.record({ kept: fc.nat(70), dropped: fc.nat(3), text, place: fc.nat() });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        let expected = "";
        let end = 0;
        const edits = pieces.map(({ kept, dropped, text, place }) => {
          const start = end + kept;
          expected += `${"k".repeat(kept)}${text}`;
          end = start + dropped;
          return { start, end, text, place };
        });
        // Those at one offset apply in the order given, so that only others may change places.
        const isOneEach = new Set(edits.map(({ start }) => start)).size === edits.length;
        if (isOneEach) edits.sort((a, b) => a.place - b.place);
        const changed = splice(Buffer.alloc(end + 5, "k"), edits);
        expect(changed.equals(Buffer.from(`${expected}kkkkk`))).toBe(true);
      }),
    );
  });

  it("[G11] never writes into bytes that it has given away", () => {
    const sizes = [1, 4095, 4096, 4097, 30, 65_536, 700];
    const results = Array.from({ length: 200 }, (_, index) => {
      const whole = Buffer.alloc(sizes[index % sizes.length]!, index);
      return { result: splice(whole, [{ start: 0, end: 1, text: "!" }]), index };
    });
    for (const { result, index } of results) {
      expect(result.length).toBe(sizes[index % sizes.length]);
      expect(result[0]).toBe(0x21);
      expect(result.subarray(1).every((byte) => byte === index)).toBe(true);
    }
  });

  it.each([
    [
      [1, 4, ""],
      [3, 5, ""],
    ],
    [[5, 4, ""]],
    [[9, 11, ""]],
  ] as [number, number, string][][])(
    "[G11] refuses edits that overlap or leave the message",
    (...edits) => {
      expect(() => spliced(...edits)).toThrow(RangeError);
    },
  );
});

describe("splice in place", () => {
  const edit = (start: number, end: number, text: string) => ({ start, end, text });

  it("[G11] writes what fits and fills it up with spaces", () => {
    const bytes = Buffer.from('{"id":12345,"x":1}');
    expect(spliceInPlace(bytes, [edit(6, 11, "7"), edit(11, 17, "")])).toBe(true);
    expect(bytes.toString()).toBe('{"id":7          }');
  });

  it("[G11] takes a text as long as the old one, and one byte more not", () => {
    const bytes = Buffer.from("[12,34]");
    expect(spliceInPlace(bytes, [edit(1, 3, "56"), edit(4, 6, "789")])).toBe(false);
    expect(bytes.toString()).toBe("[12,34]");
    expect(spliceInPlace(bytes, [edit(1, 3, "56")])).toBe(true);
    expect(bytes.toString()).toBe("[56,34]");
    expect(spliceInPlace(bytes, [edit(1, 3, '"é"')])).toBe(false);
  });
});

describe("the members of an object", () => {
  const space = fc.constantFrom("", " ", "\n\t");
  const keys = fc.uniqueArray(
    fc.constantFrom<string[]>("a", "b", "c", "d", "é", "__proto__", 'q"'),
  );
  const object = fc.tuple(keys, space).map(([names, gap]) => ({
    names,
    text: `{${gap}${names.map((name) => `${JSON.stringify(name)}${gap}:${gap}[1]`).join(`${gap},${gap}`)}${gap}}`,
  }));

  it("[G11] [P3] are removed, replaced and put in as asked, and the rest is left alone", () => {
    fc.assert(
      fc.property(object, keys, keys, ({ names, text }, removed, set) => {
        const bytes = Buffer.from(text);
        const changes = {
          remove: (key: string) => removed.includes(key),
          set: Object.fromEntries(set.map((key) => [key, "2"])),
        };
        const edits = editMembers(0, readMembers(bytes), changes);
        const expected = new Map<string, unknown>(
          names.filter((name) => !removed.includes(name)).map((name) => [name, [1]]),
        );
        for (const key of Object.keys(changes.set)) expected.set(key, 2);
        expect(new Map(Object.entries(JSON.parse(splice(bytes, edits).toString())))).toEqual(
          expected,
        );
      }),
    );
  });

  it("[G11] keep their places: a replaced one where it stands, a new one in front", () => {
    const bytes = Buffer.from('{ "a" : 1 , "b" : 2 }');
    const edits = editMembers(0, readMembers(bytes), { set: { b: "3", c: "4" } });
    expect(splice(bytes, edits).toString()).toBe('{"c":4, "a" : 1 , "b" : 3 }');
  });
});

describe("a message on one line", () => {
  it("[G11] has spaces for the line ends between its tokens", () => {
    const json = Buffer.from('{\r\n"a":\n"\\n"\r}');
    expect(onOneLine(json).toString()).toBe('{  "a": "\\n" }');
    expect(json.toString()).toContain("\n");
  });

  it("[G11] is the message itself if it has no line end", () => {
    const json = Buffer.from('{"a":"\\n"}');
    expect(onOneLine(json)).toBe(json);
  });
});
