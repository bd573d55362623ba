import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import type { AllowRule } from "../config/config.ts";
import { compileArguments } from "./arguments.ts";

async function checking(rule: AllowRule) {
  const check = await compileArguments(rule);
  return (args: unknown) => {
    const json = typeof args === "string" ? args : JSON.stringify(args);
    return check(json === undefined ? undefined : Buffer.from(json));
  };
}

describe("compileArguments", () => {
  it("[G17] wants a named argument unless it is optional, and lets others pass unless only is set", async () => {
    const args = {
      repo: { const: "ours" },
      limit: { type: "integer", maximum: 9, optional: true },
    };
    const open = await checking({ args });
    expect(open({ repo: "ours", other: 1 })).toBeUndefined();
    expect(open({ repo: "ours", limit: 9 })).toBeUndefined();
    expect(open({ limit: 9 })).toBe("arguments.repo is missing");
    expect(open(undefined)).toBe("arguments.repo is missing");
    const closed = await checking({ args, only: true });
    expect(closed({ repo: "ours" })).toBeUndefined();
    expect(closed({ repo: "ours", other: 1 })).toBe("arguments.other is not allowed");
  });

  it("[G17] names the failing path", async () => {
    const check = await checking({
      args: { where: { type: "object", properties: { path: { pattern: "^/desk/" } } } },
    });
    expect(check({ where: { path: "/desk/a" } })).toBeUndefined();
    expect(check({ where: { path: "/etc" } })).toMatch(
      /^arguments\.where\.path must match pattern/,
    );
    expect(check({ where: 1 })).toMatch(/^arguments\.where must be object/);
    const nothing = await checking({ args: { secret: false } });
    expect(nothing({ secret: 1 })).toMatch(/^arguments\.secret /);
  });

  it("[G11] [G17] refuses a key that stands twice, at any depth, and what is no object", async () => {
    const check = await checking({ args: { a: true } });
    expect(check('{"a":1,"b":2}')).toBeUndefined();
    for (const json of ['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"a":{"x":1,"x":2}}'])
      expect(check(json)).toMatch(/stands twice$/);
    for (const json of ["[]", "null", "7", '"a"'])
      expect(check(json)).toBe("arguments must be an object");
  });

  it("[G17] takes patterns of up to 200 characters, on texts of up to 4 KiB, keys included", async () => {
    const pattern = (length: number) => ({ args: { a: { pattern: "x".repeat(length) } } });
    const [under, on, over] = edges(200);
    await compileArguments(pattern(under));
    await compileArguments(pattern(on));
    await expect(compileArguments(pattern(over))).rejects.toThrow("200 characters");
    const nested = { args: { a: { items: { patternProperties: { ["x".repeat(over)]: true } } } } };
    await expect(compileArguments(nested)).rejects.toThrow("200 characters");
    const check = await checking({
      args: { a: { patternProperties: { "^x": { pattern: "^x*$" } } } },
    });
    for (const [bytes, expected] of [
      [4095, undefined],
      [4096, undefined],
      [4097, "arguments.a holds a text over 4096 bytes, too long for a pattern"],
    ] as const) {
      expect(check({ a: { x: "x".repeat(bytes) } })).toBe(expected);
      expect(check({ a: { ["x".repeat(bytes)]: "x" } })).toBe(expected);
    }
  });

  it("[G17] refuses remote references and what is no schema", async () => {
    const local = { args: { a: { $ref: "#/$defs/n", $defs: { n: { type: "number" } } } } };
    const check = await checking(local);
    expect([check({ a: 1 }), check({ a: "1" })]).toEqual([undefined, "arguments.a must be number"]);
    for (const $ref of ["https://example.invalid/s.json", "other.json", "//host/x"])
      await expect(compileArguments({ args: { a: { items: { $ref } } } })).rejects.toThrow(
        "$ref must begin with #",
      );
    await expect(compileArguments({ args: { a: { type: "strin" } } })).rejects.toThrow();
    await expect(compileArguments({ args: { a: { optional: "yes" } } })).rejects.toThrow();
  });
});
