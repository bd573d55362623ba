import fc from "fast-check";
import { expect, it } from "vitest";
import { applyEdits, applyUndo, hashText, type TextEdit, undoOf } from "./edit.ts";

const edit = (offset: number, length: number, text: string): TextEdit => ({ offset, length, text });

it("[G22] applies edits by their place, and those of one place in the order given", () => {
  expect(
    applyEdits("abcd", [edit(3, 1, "D"), edit(1, 0, "1"), edit(1, 0, "2"), edit(0, 1, "")]),
  ).toBe("12bcD");
  expect(applyEdits("", [edit(0, 0, "x")])).toBe("x");
  expect(applyEdits("ab", [])).toBe("ab");
});

it("[G22] refuses edits that overlap, and takes those that touch", () => {
  expect(() => applyEdits("abcd", [edit(0, 2, ""), edit(1, 1, "")])).toThrow(RangeError);
  expect(applyEdits("abcd", [edit(0, 2, "x"), edit(2, 1, "y")])).toBe("xyd");
});

it("[G22] an undo belongs to one text only", () => {
  const undo = undoOf("ab", [edit(1, 0, "x")], "axb");
  expect(applyUndo("axb", undo)).toBe("ab");
  for (const text of ["ab", "axb ", "aXb", ""]) expect(applyUndo(text, undo)).toBeUndefined();
});

it("[G22] a hash is that of the UTF-8 bytes, in hex", () => {
  expect(hashText("\uFEFF\u00e9")).toBe(
    "65d7e9385f19e95a483b35d760f95f2500dcd715f2c1b0618fd8274ee036d856",
  );
  expect(hashText("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});

it("[G22] [P3] any edits are undone to the byte", () => {
  const cuts = fc.array(
    fc.record({ gap: fc.nat(5), length: fc.nat(5), text: fc.string({ maxLength: 5 }) }),
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), cuts, (text, parts) => {
      let at = 0;
      const edits = parts.flatMap(({ gap, length, text: added }) => {
        const offset = at + gap;
        at = offset + length;
        return at > text.length ? [] : [edit(offset, length, added)];
      });
      const edited = applyEdits(text, edits);
      expect(applyUndo(edited, undoOf(text, edits, edited))).toBe(text);
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 200) },
  );
});
