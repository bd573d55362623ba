import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  credentialRules,
  findCredentialRule,
  findReferenceProblem,
  isCredentialHeader,
  isCredentialKey,
  requireReference,
} from "./credential.ts";

describe("credentialRules", () => {
  it("[A8] are a frozen table in which every row has a reason, hits and misses", () => {
    expect(Object.isFrozen(credentialRules)).toBe(true);
    for (const rule of credentialRules) {
      expect(Object.isFrozen(rule)).toBe(true);
      expect(rule.reason).not.toBe("");
      expect(rule.hits.length).toBeGreaterThan(0);
      expect(rule.misses.length).toBeGreaterThan(0);
    }
  });

  it("[A8] hold every word of the contract", () => {
    const words = credentialRules.filter(({ scope }) => scope === "key").map(({ match }) => match);
    expect(words).toEqual(
      "API_KEY APIKEY TOKEN SECRET PASSWORD PASSWD PWD OAUTH CREDENTIAL CREDENTIALS PRIVATE_KEY ACCESS_KEY PAT".split(
        " ",
      ),
    );
  });

  it.each(credentialRules.flatMap((rule) => rule.hits.map((name) => ({ rule, name }))))(
    "[A8] $rule.match hits $name",
    ({ rule, name }) => {
      const kind = rule.scope === "header" ? "header" : "env";
      expect(findCredentialRule(kind, name)).toBeDefined();
      if (rule.scope === "key") expect(isCredentialHeader(name)).toBe(true);
    },
  );

  it.each(credentialRules.flatMap((rule) => rule.misses.map((name) => ({ rule, name }))))(
    "[A8] nothing hits $name",
    ({ name }) => {
      expect(isCredentialKey(name)).toBe(false);
      expect(isCredentialHeader(name)).toBe(false);
    },
  );
});

describe("isCredentialKey", () => {
  it.each(["Authorization", "Cookie", "proxy-authorization"])(
    "[A8] leaves %s to the headers, where it is one in any case",
    (name) => {
      expect(isCredentialKey(name)).toBe(false);
      expect(isCredentialHeader(name)).toBe(true);
      expect(isCredentialHeader(name.toUpperCase())).toBe(true);
    },
  );

  it("[A8] finds a word in every spelling: separators, capitals, digits", () => {
    for (const key of [
      "my-api-key",
      "my.api.key",
      "my api key",
      "MyApiKey",
      "MYApiKey",
      "MY_API_KEY",
      "myAPIKey2",
      "aPiKeY",
    ])
      expect(isCredentialKey(key), key).toBe(true);
    for (const key of ["", "KEY", "API", "LOG_LEVEL", "Content-Type", "X-Request-Id", "MONKEY"])
      expect(isCredentialKey(key), key).toBe(false);
  });

  it("[A8] takes any prefix and none that goes on", () => {
    const prefix = fc.stringMatching(/^[A-Z]{0,6}_?$/);
    const word = fc.constantFrom("TOKEN", "SECRET", "PASSWORD", "API_KEY", "PRIVATE_KEY", "OAUTH");
    const more = fc.stringMatching(/^[A-RT-Z]{1,6}$/);
    fc.assert(
      fc.property(prefix, word, more, (before, match, after) => {
        expect(isCredentialKey(before + match)).toBe(true);
        expect(isCredentialKey(`${before}${match}_${after}`)).toBe(true);
        const longer = `X${match}${after}`;
        const endsInAnother = credentialRules.some(({ match: other }) =>
          longer.replaceAll("_", "").endsWith(other.replaceAll("_", "")),
        );
        if (!endsInAnother) expect(isCredentialKey(longer), longer).toBe(false);
      }),
    );
  });
});

describe("requireReference", () => {
  it.each([
    ["env", "GITHUB_TOKEN", "${GITHUB_TOKEN}"],
    ["env", "GITHUB_TOKEN", "$env:GITHUB_TOKEN"],
    ["env", "GITHUB_TOKEN", "${A}${B}"],
    ["header", "Authorization", "Bearer $env:REMOTE_TOKEN"],
    ["header", "Authorization", "bearer ${REMOTE_TOKEN}"],
    ["header", "Authorization", "Basic  ${PAIR}"],
    ["header", "Authorization", "${WHOLE}"],
    ["header", "CONTEXT7_API_KEY", "$env:CONTEXT7_API_KEY"],
    ["header", "X-Api-Key", "ApiKey ${K}"],
    ["header", "Cookie", "session=${SESSION}"],
    ["header", "Cookie", "a=${A}; b=${B};c=${C}"],
    ["header", "Cookie", "${COOKIE}"],
    ["env", "LOG_LEVEL", "info"],
    ["env", "GREETING", "hello ${USER}"],
    ["header", "Accept", "text/plain"],
  ] as const)("[A8] accepts %s %s: %s", (kind, name, value) => {
    expect(findReferenceProblem(kind, name, value)).toBeUndefined();
    expect(() => requireReference(kind, name, value)).not.toThrow();
  });

  it.each([
    ["env", "GITHUB_TOKEN", "canary"],
    ["env", "GITHUB_TOKEN", ""],
    ["env", "GITHUB_TOKEN", "canary${HOME}"],
    ["env", "GITHUB_TOKEN", "${HOME}canary"],
    ["env", "GITHUB_TOKEN", "canary $env:HOME"],
    ["env", "GITHUB_TOKEN", "${A}canary${B}"],
    ["env", "GITHUB_TOKEN", " ${A}"],
    ["env", "GITHUB_TOKEN", "Bearer canary"],
    ["header", "Authorization", "Bearer"],
    ["header", "Authorization", "canary ${HOME}"],
    ["header", "Authorization", "Bearer canary ${HOME}"],
    ["header", "Authorization", "a=${A}"],
    ["header", "Cookie", "session=canary"],
    ["header", "Cookie", "session=canary; b=${B}"],
    ["header", "Cookie", "a=${A}; session=canary"],
    ["header", "Cookie", "a=${A}canary"],
    ["header", "Cookie", "a=${A}; "],
    ["header", "X-Auth-Token", "canary"],
  ] as const)("[A8] refuses %s %s: %j without showing it", (kind, name, value) => {
    const field = `${kind === "env" ? "env" : "headers"}.${name}`;
    const problem = expect.objectContaining({
      code: "LITERAL_CREDENTIAL",
      message: expect.stringMatching(new RegExp(`^${field}: must be a reference`)),
    });
    expect(() => requireReference(kind, name, value)).toThrow(problem);
    expect(findReferenceProblem(kind, name, value)?.reason).not.toContain("canary");
  });

  it("[A7] refuses text that only starts like a reference in any field, credential or not", () => {
    expect(() => requireReference("env", "LOG_LEVEL", "${X:-info}")).toThrow(
      expect.objectContaining({ code: "BAD_REFERENCE", field: "env.LOG_LEVEL" }),
    );
    const place = { file: "mcp.json", line: 2, column: 5, field: "mcpServers.a.env.TOKEN" };
    expect(() => requireReference("env", "TOKEN", "canary", place)).toThrow(
      /^mcp\.json:2:5 mcpServers\.a\.env\.TOKEN: must be a reference, \$\{NAME\} or with/,
    );
  });
});
