import { describe, expect, it } from "vitest";
import { formatAddress, isLoopback, isWildcard, parseAddress } from "./address.ts";

describe("parseAddress", () => {
  it.each([
    ["127.0.0.1:8717", { host: "127.0.0.1", port: 8717 }],
    ["localhost:0", { host: "localhost", port: 0 }],
    ["[::1]:65535", { host: "::1", port: 65_535 }],
    ["0.0.0.0:80", { host: "0.0.0.0", port: 80 }],
  ])("reads %s, and formats it back", (text, address) => {
    expect(parseAddress(text)).toEqual(address);
    expect(formatAddress(address)).toBe(text);
  });

  it.each([
    "",
    ":8717",
    "127.0.0.1",
    "127.0.0.1:65536",
    "127.0.0.1:-1",
    "::1:80",
    "[::1]",
    "[127.0.0.1]:1",
  ])("refuses %j", (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  it.each(["127.1:80", "256.0.0.1:80", "http://a:80", "a b:80"])("refuses %j", (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});

describe("isLoopback", () => {
  it("knows localhost, 127.0.0.0/8 and ::1, and nothing that only looks like them", () => {
    expect(["localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "::1"].every(isLoopback)).toBe(
      true,
    );
    expect(
      ["0.0.0.0", "::", "10.0.0.1", "127.evil.example", "localhost.evil.example"].some(isLoopback),
    ).toBe(false);
  });

  it("tells wildcards apart", () => {
    expect(["0.0.0.0", "::"].every(isWildcard)).toBe(true);
    expect(["127.0.0.1", "::1"].some(isWildcard)).toBe(false);
  });
});
