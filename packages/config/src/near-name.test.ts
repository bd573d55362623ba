import { describe, expect, it } from "vitest";
import { nearName } from "./near-name.ts";

const fields = ["command", "args", "env", "cwd", "url", "headers", "requestTimeoutMs"];

describe("nearName", () => {
  it.each([
    ["comand", "command"],
    ["agrs", "args"],
    ["header", "headers"],
    ["ULR", "url"],
    ["request_timeout_ms", "requestTimeoutMs"],
    ["requestTimeoutMillis", undefined],
    ["transport", undefined],
    ["en", "env"],
    ["x", undefined],
    ["", undefined],
  ])("[C2] of %j is %j", (name, near) => {
    expect(nearName(name, fields)).toBe(near);
  });

  it("[C2] is not looked for if the name is longer than 64 units", () => {
    const long = "x".repeat(64);
    expect(nearName(long, [`${long}y`])).toBe(`${long}y`);
    expect(nearName(`${long}x`, [`${long}y`])).toBeUndefined();
  });
});
