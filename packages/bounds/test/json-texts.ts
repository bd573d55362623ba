import fc from "fast-check";

/** How many inputs the property tests of the JSON readers try; FUZZ_RUNS asks for more. */
export const RUNS = Number(process.env.FUZZ_RUNS ?? 10_000);

const scraps = fc.constantFrom(
  ..."{}[]:,\"\\ \n\t+-.0123456789eEutrfalsn/'\u0000\u001f\u007f\u00e9\u2028\ufeff",
  '"a"',
  '"a":',
  "\\u00e9",
  "\\ud83d",
  "\ud83d",
  "\u{1f600}",
  "true",
  "null",
  "1e5",
  "-0",
  "0.5",
  "x".repeat(40),
);

const soup = fc.array(scraps, { maxLength: 12 }).map((parts) => parts.join(""));

const spaced = fc
  .tuple(fc.jsonValue(), fc.constantFrom(0, 1, "\t"))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

/** A JSON text of which a few characters are taken out, doubled, or replaced by scraps. */
const damaged = fc
  .tuple(spaced, fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.option(scraps)), { maxLength: 3 }))
  .map(([json, edits]) => {
    let text = json;
    for (const [place, length, scrap] of edits) {
      const at = place % (text.length + 1);
      text =
        text.slice(0, at) +
        (scrap ?? text.slice(at, at + length).repeat(2)) +
        text.slice(at + length);
    }
    return text;
  });

/** Texts near the border of what is JSON, about half of them on either side. */
export const mutatedJson = fc.oneof(
  { weight: 2, arbitrary: damaged },
  { weight: 1, arbitrary: soup },
  { weight: 1, arbitrary: fc.json({ stringUnit: "binary" }) },
);
