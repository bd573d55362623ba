import { describe, expect, it } from "vitest";
import { ConfigError, fieldPath } from "./error.ts";

const messageAt = (place: ConstructorParameters<typeof ConfigError>[2]) =>
  new ConfigError("SYNTAX", "is wrong", place).message;

describe("ConfigError", () => {
  it("[W9] reads FILE:LINE:COLUMN FIELD: sentence, without the parts that are unknown", () => {
    const at = { line: 3, column: 7 };
    expect(messageAt({ file: "a.json", ...at, field: "x.y" })).toBe("a.json:3:7 x.y: is wrong");
    expect(messageAt({ file: "a.json", ...at })).toBe("a.json:3:7: is wrong");
    expect(messageAt({ file: "a.json" })).toBe("a.json: is wrong");
    expect(messageAt({ file: "a.json", field: "x" })).toBe("a.json x: is wrong");
    expect(messageAt({ field: "x" })).toBe("x: is wrong");
    expect(messageAt(undefined)).toBe("is wrong");
  });

  it("[C1] carries its parts as data, and the original error as cause", () => {
    const cause = new Error("why");
    const place = { file: "a.json", line: 1, column: 2, field: "f" };
    const error = new ConfigError("SYNTAX", "is wrong", place, { cause });
    expect(error).toMatchObject({ ...place, code: "SYNTAX", reason: "is wrong", cause });
    expect(error.name).toBe("ConfigError");
  });

  it("[C1] shows no control character of a file or field, and at most 240 code points of a field", () => {
    const error = new ConfigError("SYNTAX", "is wrong", { file: "a\nb", field: "x".repeat(999) });
    expect(error.file).toBe("a�b");
    expect(error.field).toHaveLength(240);
  });
});

describe("fieldPath", () => {
  it("[W9] joins plain words with points, indexes in brackets, and quotes every other key", () => {
    expect(fieldPath(["mcpServers", "git-hub", "args", 2])).toBe("mcpServers.git-hub.args[2]");
    expect(fieldPath(["a b", "c", ""])).toBe('["a b"].c[""]');
    expect(fieldPath(['q"uote', "1", "é"])).toBe('["q\\"uote"]["1"]["é"]');
    expect(fieldPath([0, "a"])).toBe("[0].a");
    expect(fieldPath([])).toBe("");
  });

  it("[C1] bounds each key at 64 code points and hides control characters", () => {
    expect(fieldPath(["x".repeat(64)])).toBe("x".repeat(64));
    expect(fieldPath(["x".repeat(65)])).toBe(`["${"x".repeat(32)}…${"x".repeat(31)}"]`);
    expect(fieldPath(["a\u001b"])).toBe('["a�"]');
  });
});
