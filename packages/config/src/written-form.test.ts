import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writtenForms } from "./written-form.ts";

describe("writtenForms", () => {
  it("[C4] is the secret alone where no encoding touches it", () => {
    expect(writtenForms("sk-live_51.AbC9")).toEqual(["sk-live_51.AbC9"]);
  });

  it("[C4] holds what JSON makes of it, with slashes escaped or not and with what is not ASCII escaped or not", () => {
    const forms = writtenForms('a"b\\c\n/é😀');
    expect(forms).toContain('a\\"b\\\\c\\n/é😀');
    expect(forms).toContain('a\\"b\\\\c\\n\\/é😀');
    expect(forms).toContain('a\\"b\\\\c\\n/\\u00e9\\ud83d\\ude00');
    expect(forms).toContain('a\\"b\\\\c\\n\\/\\u00E9\\uD83D\\uDE00');
  });

  it("[C4] holds what URLs and forms make of it, with hexadecimal digits of either case", () => {
    const forms = writtenForms("a b/c?d=é!~");
    for (const form of [
      "a%20b%2Fc%3Fd%3D%C3%A9!~",
      "a%20b%2fc%3fd%3d%c3%a9!~",
      "a%20b%2Fc%3Fd%3D%C3%A9%21~",
      "a%20b/c?d=%C3%A9!~",
      "a+b%2Fc%3Fd%3D%C3%A9%21%7E",
      "a+b%2fc%3fd%3d%c3%a9%21%7e",
    ])
      expect(forms).toContain(form);
  });

  it("[P3] holds the encodings of any secret, without repeats and never shorter than the secret", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (secret) => {
        const forms = writtenForms(secret);
        expect(forms[0]).toBe(secret);
        expect(new Set(forms).size).toBe(forms.length);
        expect(forms).toContain(JSON.stringify(secret).slice(1, -1));
        expect(forms).toContain(encodeURIComponent(secret));
        expect(forms).toContain(new URLSearchParams({ "": secret }).toString().slice(1));
        for (const form of forms) expect(form.length).toBeGreaterThanOrEqual(secret.length);
      }),
    );
  });

  it("[C4] takes a secret that is no well-formed text", () => {
    expect(writtenForms("a\ud800b")).toContain("a\\ud800b");
  });
});
