import { describe, expect, it } from "vitest";
import { createAuthenticate } from "./bearer.ts";

const TOKEN = "a-token-of-some-length";

describe("createAuthenticate", () => {
  const authenticate = createAuthenticate(TOKEN);

  it("[G5] compares the scheme without case and the token exactly", () => {
    for (const scheme of ["Bearer", "bearer", "BEARER"])
      expect(authenticate(`${scheme} ${TOKEN}`)).toBeDefined();
    expect(authenticate(`Bearer ${TOKEN.toUpperCase()}`)).toBeUndefined();
  });

  it.each([
    ["nothing", undefined],
    ["an empty header", ""],
    ["the scheme alone", "Bearer"],
    ["an empty token", "Bearer "],
    ["another scheme", `Basic ${TOKEN}`],
    ["the bare token", TOKEN],
    ["a prefix of the token", `Bearer ${TOKEN.slice(0, -1)}`],
    ["more than the token", `Bearer ${TOKEN}x`],
    ["two tokens", `Bearer ${TOKEN} ${TOKEN}`],
  ])("[G5] refuses %s", (_name, header) => {
    expect(authenticate(header)).toBeUndefined();
  });

  it("gives one credential a token, which does not hold the token", () => {
    const caller = authenticate(`Bearer ${TOKEN}`);
    expect(caller).toEqual(authenticate(`bearer  ${TOKEN}`));
    expect(caller?.credential).not.toContain(TOKEN);
    expect(createAuthenticate("another-token-here")("Bearer another-token-here")).not.toEqual(
      caller,
    );
  });

  it("lets everyone in without a token", () => {
    const open = createAuthenticate(undefined);
    expect(open(undefined)).toBeDefined();
    expect(open("Bearer whatever")).toEqual(open(undefined));
  });
});
