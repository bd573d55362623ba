import { describe, expect, it } from "vitest";
import { createOriginCheck } from "./origin.ts";

const check = createOriginCheck(["https://App.example"]);

describe("createOriginCheck", () => {
  it("[G6] lets an absent, a loopback and a listed origin pass", () => {
    expect(check(undefined)).toBe("absent");
    for (const origin of ["http://localhost:6274", "https://127.0.0.1", "http://[::1]:3000"])
      expect(check(origin)).toBe("loopback");
    expect(check("https://app.example")).toBe("listed");
  });

  it.each([
    "null",
    "",
    "https://evil.example",
    "http://localhost.evil.example",
    "http://localhost@evil.example",
    "http://127.0.0.1/path",
    "file://",
    "https://app.example:444",
    "https://app.example.evil.example",
  ])("[G6] refuses %j", (origin) => {
    expect(check(origin)).toBe("refused");
  });

  it("[G6] never lets null pass, not even listed", () => {
    expect(createOriginCheck(["null"])("null")).toBe("refused");
  });
});
