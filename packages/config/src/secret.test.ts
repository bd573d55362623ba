import { format, inspect } from "node:util";
import { serialize } from "node:v8";
import { describe, expect, it } from "vitest";
import { createSecret, revealSecret } from "./secret.ts";

const CANARY = "canary-51c8f0";

describe("createSecret", () => {
  it("[C3] prints as a mark in templates, String(), JSON, util.inspect and util.format", () => {
    const secret = createSecret(CANARY);
    expect(`${secret}`).toBe("[secret]");
    expect(String(secret)).toBe("[secret]");
    expect(JSON.stringify({ secret })).toBe('{"secret":"[secret]"}');
    expect(inspect({ secret })).toBe("{ secret: [secret] }");
    expect(format("%s %j %o", secret, secret, secret)).toBe('[secret] "[secret]" [secret]');
  });

  it("[C3] cannot be read by listing, copying or serializing it", () => {
    const secret = createSecret(CANARY);
    const ways = [
      inspect(secret, { customInspect: false, showHidden: true, depth: 9 }),
      serialize({ ...secret }).toString("latin1"),
      JSON.stringify(Reflect.ownKeys(secret)),
      JSON.stringify(Object.assign({}, secret)),
      inspect(new Error("x", { cause: secret })),
    ];
    expect(ways.join("\n")).not.toContain(CANARY);
    expect(Object.isFrozen(secret)).toBe(true);
  });

  it("[C3] gives its text to revealSecret, and nothing else does", () => {
    expect(revealSecret(createSecret(CANARY))).toBe(CANARY);
    expect(revealSecret(createSecret(""))).toBe("");
    const copy = { ...createSecret(CANARY) };
    expect(() => revealSecret(copy)).toThrow(TypeError);
  });
});
