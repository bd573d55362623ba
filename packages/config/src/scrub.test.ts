import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createScrubber, REDACTED } from "./scrub.ts";
import { writtenForms } from "./written-form.ts";

const scrubberOf = (...values: readonly string[]) =>
  createScrubber(values.map((value, index) => ({ name: `S${index}`, value })));

/** By definition: all places of all forms, those that overlap joined, each replaced by one mark. */
function scrubPlainly(values: readonly string[], text: string): string {
  const covered: [number, number][] = [];
  const forms = values.filter((value) => [...value].length >= 6).flatMap(writtenForms);
  for (let start = 0; start < text.length; start++) {
    const lengths = forms
      .filter((form) => text.startsWith(form, start))
      .map(({ length }) => length);
    if (lengths.length === 0) continue;
    const end = start + Math.max(...lengths);
    const last = covered.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else covered.push([start, end]);
  }
  let result = "";
  let from = 0;
  for (const [start, end] of covered) {
    result += text.slice(from, start) + REDACTED;
    from = end;
  }
  return result + text.slice(from);
}

function scrubInParts(scrubber: ReturnType<typeof createScrubber>, parts: readonly string[]) {
  const stream = scrubber.stream();
  return parts.map((part) => stream.push(part)).join("") + stream.end();
}

describe("createScrubber", () => {
  it("[C4] replaces every exact secret by a mark and leaves all else as it is", () => {
    const scrubber = scrubberOf("hunter2-hunter2", "tok_12345");
    expect(scrubber.scrub("a hunter2-hunter2, b=tok_12345;tok_1234 HUNTER2-hunter2")).toBe(
      "a [redacted], b=[redacted];tok_1234 HUNTER2-hunter2",
    );
    expect(scrubber.scrub("nothing here")).toBe("nothing here");
    expect(scrubber.scrub("")).toBe("");
  });

  it("[G18] also finds a secret as JSON escapes it and as URLs and forms encode it", () => {
    const secret = 'p/q "r" é+&';
    const scrubber = scrubberOf(secret);
    const query = new URLSearchParams({ key: secret }).toString();
    expect(scrubber.scrub(JSON.stringify({ secret }))).toBe('{"secret":"[redacted]"}');
    expect(scrubber.scrub(`?key=${encodeURIComponent(secret)}&x=1`)).toBe("?key=[redacted]&x=1");
    expect(scrubber.scrub(`${query}&x=1`)).toBe("key=[redacted]&x=1");
  });

  it("[C4] lets the longest win where secrets lie inside of each other, so that no rest is left", () => {
    expect(scrubberOf("secret", "my-secret-key").scrub("my-secret-key secret")).toBe(
      "[redacted] [redacted]",
    );
    expect(scrubberOf("abcdef", "abcdefgh").scrub("abcdefghi abcdefg")).toBe(
      "[redacted]i [redacted]g",
    );
  });

  it("[C4] gives overlapping secrets one mark and neighbours one each", () => {
    expect(scrubberOf("abcdef", "defghi", "ghijkl").scrub("xabcdefghijklx")).toBe("x[redacted]x");
    expect(scrubberOf("abcdef").scrub("abcdefabcdef")).toBe("[redacted][redacted]");
    expect(scrubberOf("aaaaaa").scrub("a".repeat(20))).toBe("[redacted]");
  });

  it("[C4] names secrets of 5 characters in a warning and scrubs those of 6, counted in code points", () => {
    const scrubber = createScrubber([
      { name: "FIVE", value: "12345" },
      { name: "SIX", value: "abcdef" },
      { name: "SEVEN", value: "ABCDEFG" },
      { name: "EMOJI", value: "😀😀😀😀😀" },
      { name: "EMPTY", value: "" },
    ]);
    expect(scrubber.scrub("12345 abcdef ABCDEFG 😀😀😀😀😀")).toBe(
      "12345 [redacted] [redacted] 😀😀😀😀😀",
    );
    expect(scrubber.warnings).toEqual([
      "FIVE is shorter than 6 characters and is not scrubbed",
      "EMOJI is shorter than 6 characters and is not scrubbed",
      "EMPTY is shorter than 6 characters and is not scrubbed",
    ]);
    expect(createScrubber([]).scrub("12345")).toBe("12345");
  });

  it("[C4] shows no secret when it is printed", () => {
    const scrubber = scrubberOf("canary-1234", "cana");
    const shown = inspect({ scrubber, stream: scrubber.stream() }, { depth: 9, showHidden: true });
    expect(shown).not.toContain("cana");
  });

  it("[C4] finds a secret at every border between two parts, and holds back no more than needed", () => {
    const scrubber = scrubberOf("canary");
    for (let cut = 0; cut <= "a canary b".length; cut++) {
      const text = "a canary b";
      expect(scrubInParts(scrubber, [text.slice(0, cut), text.slice(cut)])).toBe("a [redacted] b");
    }
    const stream = scrubber.stream();
    expect(stream.push("abc can")).toBe("abc ");
    expect(stream.push("ned can")).toBe("canned ");
    expect(stream.push("ary")).toBe("[redacted]");
    expect(stream.push("cana")).toBe("");
    expect(stream.end()).toBe("cana");
    expect(stream.push("ry")).toBe("ry");
  });

  it("[C4] holds back less than a secret even inside an endless redaction", () => {
    const stream = scrubberOf("aaaaaa").stream();
    let written = "";
    for (let round = 0; round < 50; round++) written += stream.push("aaaa");
    expect(written).toBe(REDACTED);
    expect(stream.push("b")).toBe("b");
    expect(stream.end()).toBe("");
  });

  it("[P3] does the same as its definition, in one part, in any parts and unit by unit", () => {
    const unit = fc.constantFrom("a", "b", '"', " ", "é");
    const secrets = fc.array(fc.string({ unit, minLength: 4, maxLength: 9 }), { maxLength: 5 });
    const pieces = fc.array(
      fc.tuple(
        fc.string({ unit, maxLength: 12 }),
        fc.nat(),
        fc.constantFrom("raw", "json", "url", "form"),
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(secrets, pieces, (values, mix) => {
        const parts = mix.flatMap(([noise, index, form]) => [noise, encode(values, index, form)]);
        const text = parts.join("");
        const expected = scrubPlainly(values, text);
        const scrubber = scrubberOf(...values);
        expect(scrubber.scrub(text)).toBe(expected);
        expect(scrubInParts(scrubber, parts)).toBe(expected);
        expect(scrubInParts(scrubber, text.split(""))).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });

  it("[P3] leaves no secret behind among many", () => {
    const secret = fc.string({
      unit: fc.constantFrom(..."0123456789abcdef"),
      minLength: 6,
      maxLength: 40,
    });
    fc.assert(
      fc.property(fc.uniqueArray(secret, { minLength: 50, maxLength: 200 }), (values) => {
        const text = values.join("f");
        const scrubbed = scrubberOf(...values).scrub(text);
        expect(values.some((value) => scrubbed.includes(value))).toBe(false);
        expect(scrubbed).toBe(scrubPlainly(values, text));
      }),
      { numRuns: 20 },
    );
  });

  it("[C4] gets through a text that almost matches all the time", () => {
    const scrubber = scrubberOf(`${"a".repeat(5_000)}b`, `${"a".repeat(4_999)}c`);
    const text = "a".repeat(300_000);
    expect(scrubber.scrub(text)).toBe(text);
    expect(scrubber.scrub(`${text}b${text}`)).toBe(`${"a".repeat(295_000)}${REDACTED}${text}`);
  });
});

function encode(values: readonly string[], index: number, form: string): string {
  const value = values[index % Math.max(1, values.length)] ?? "";
  if (form === "json") return JSON.stringify(value);
  if (form === "url") return encodeURIComponent(value);
  if (form === "form") return new URLSearchParams({ k: value }).toString();
  return value;
}
