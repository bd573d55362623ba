import { describe, expect, it } from "vitest";
import { createPattern } from "./pattern.ts";
import { matchRecord } from "./record.ts";

const match = (query: string, row: object) => {
  const found = matchRecord(createPattern(query), row as Record<string, unknown>);
  return found && { field: found.field, value: found.value, kind: found.match.kind };
};

describe("matchRecord", () => {
  it("[S9] names the field that matches best, the summary among equals", () => {
    expect(match("tide", { note: "tide", summary: "The tide" })).toEqual({
      field: "summary",
      value: "The tide",
      kind: "phrase",
    });
    expect(match("tide table", { summary: "tide", note: "tide table" })?.field).toBe("note");
    expect(match("tide", { a: { b: ["x", "tide"] } })?.field).toBe("a.b[1]");
    expect(match("42", { turns: 42 })).toMatchObject({ field: "turns", value: "42" });
  });

  it("[S9] takes the record as a whole where its fields together hold more", () => {
    expect(match("tide table", { summary: "tide", note: "table" })).toEqual({
      field: "entry",
      value: "tide\ntable",
      kind: "phrase",
    });
  });

  it("searches no field that is not shown, and no key", () => {
    expect(
      match("secret", { path: "secret", source_path: "secret", a: { RootPath: "secret" } }),
    ).toBeUndefined();
    expect(match("summary", { summary: "x" })).toBeUndefined();
  });

  it("shows at most 160 characters around the place", () => {
    const { value } = match("tide", { summary: `${"x".repeat(400)} tide ${"y".repeat(400)}` })!;
    expect(value).toHaveLength(160);
    expect(value).toContain("tide");
  });
});
