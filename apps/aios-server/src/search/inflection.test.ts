import { describe, expect, it } from "vitest";
import { stemOf } from "./inflection.ts";

describe("stemOf", () => {
  it.each([
    ["planning", "plan"],
    ["harbours", "harbour"],
    ["corrections", "correction"],
    ["measured", "measur"],
    ["organizzazione", "organiz"],
    ["parlando", "parl"],
    ["cache", "cach"],
    ["tides", "tide"],
  ])("[S9] reduces %s to %s", (word, stem) => {
    expect(stemOf(word)).toBe(stem);
  });

  it.each(["tide", "quick", "a1234s", "sync-ed", "", "1234567"])(
    "knows no other form of %j",
    (word) => {
      expect(stemOf(word)).toBeUndefined();
    },
  );
});
