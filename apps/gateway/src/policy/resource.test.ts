import { posix } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ServerRules } from "./policy.ts";
import { createPromptPolicy, findPromptProblems } from "./prompt.ts";
import { createResourcePolicy, findResourceProblems } from "./resource.ts";

const rules = (change: Partial<ServerRules>): ServerRules => ({
  name: "one",
  namePrefix: undefined,
  allow: [],
  deny: [],
  ...change,
});
const read = (uri: string, ...servers: ServerRules[]) =>
  createResourcePolicy(servers).permit(uri)?.server;

describe("createResourcePolicy", () => {
  it("[G16] lets through what a rule names, exactly or before a trailing *, and deny wins", () => {
    const one = rules({
      allow: [{ resource: "note:a" }, { resource: "file:///desk/*" }],
      deny: [{ resource: "file:///desk/secret*" }],
    });
    const policy = createResourcePolicy([one, rules({ name: "none", allow: [{ tool: "t" }] })]);
    expect(policy.servers).toEqual(["one"]);
    for (const [uri, expected] of [
      ["note:a", "allow[0]"],
      ["note:ab", undefined],
      ["file:///desk/x", "allow[1]"],
      ["file:///workshop", undefined],
      ["file:///desk/secret.txt", undefined],
    ] as const)
      expect(policy.permit(uri)?.rule).toBe(expected);
  });

  it("[G16] judges the URI that is read: one that leads upwards matches no *, however it is encoded", () => {
    const all = rules({ allow: [{ resource: "file:///desk/*" }] });
    for (const path of ["../etc", "a/../../etc", "%2e%2e/etc", "%252E./etc", "..%2fetc", "..\\etc"])
      expect(read(`file:///desk/${path}`, all)).toBeUndefined();
    for (const path of [".\n./etc", "\t../etc", ".%0d./etc", "%2%65%2e/etc", "..%20/etc", ".. "])
      expect(read(`file:///desk/${path}`, all)).toBeUndefined();
    for (const path of ["..a", "a..b", "a%20b/...", ""])
      expect(read(`file:///desk/${path}`, all)).toBe("one");
  });

  it("[G16] denies a URI in every way to write it", () => {
    const one = rules({
      allow: [{ resource: "file:///desk/*" }],
      deny: [{ resource: "file:///desk/secret*" }, { resource: "file:///desk/my%20key" }],
    });
    for (const path of ["secret", "%73ecret", "%2573ecret", "/secret", "%2Fsecret", "\\secret"])
      expect(read(`file:///desk/${path}`, one)).toBeUndefined();
    for (const path of ["se\ncret", "se%09cret", "s%65%63ret.txt", "my key", "my%2520key"])
      expect(read(`file:///desk/${path}`, one)).toBeUndefined();
    for (const path of ["se%20cret", "my%20keys", "a/secret", "%C3%A9"])
      expect(read(`file:///desk/${path}`, one)).toBe("one");
  });

  it("[G16] refuses at once what is encoded more often than it can be undone, however long it is", () => {
    const all = rules({ allow: [{ resource: "x:*" }] });
    const layers = (digits: string) => `x:%2${digits.repeat(200_000)}5`;
    for (const uri of [layers("%3"), `x:${"%3".repeat(100)}5`])
      expect(read(uri, all)).toBeUndefined();
    expect(read(layers("52"), all)).toBe("one");
  });

  it("[G16] takes the first server in the file under *, and an exact rule before any", () => {
    const first = rules({
      name: "first",
      allow: [{ resource: "x:*" }],
      deny: [{ resource: "x:d" }],
    });
    const second = rules({ name: "second", allow: [{ resource: "x:*" }, { resource: "x:e" }] });
    expect(["x:a", "x:d", "x:e"].map((uri) => read(uri, first, second))).toEqual([
      "first",
      "second",
      "second",
    ]);
  });

  it("[G16] shows a template whose literal head a rule allows", () => {
    const policy = createResourcePolicy([
      rules({ allow: [{ resource: "file:///desk/*" }], deny: [{ resource: "file:///desk/no*" }] }),
    ]);
    const shown = (template: string) => policy.permitTemplate("one", template) !== undefined;
    expect(shown("file:///desk/{path}")).toBe(true);
    expect(shown("file:///{path}")).toBe(false);
    expect(shown("file:///desk/no/{path}")).toBe(false);
    expect(policy.permitTemplate("other", "file:///desk/{path}")).toBeUndefined();
  });

  it("[G16] makes one exact URI on two servers a configuration error", () => {
    const a = rules({ name: "a", allow: [{ resource: "x:1" }, { resource: "x:*" }] });
    const b = rules({
      name: "b",
      allow: [{ tool: "t" }, { resource: "x:1" }, { resource: "x:*" }],
    });
    expect(findResourceProblems([a, b])).toMatchObject([{ server: "b", rule: 1, key: "resource" }]);
    expect(findResourceProblems([a, { ...b, deny: [{ resource: "x:1" }] }])).toEqual([]);
  });
});

/** Where servers could go for a URI, by the ways in which they are known to read one. */
function pathsOf(uri: string): string[] {
  const attempt = <T>(read: () => T, otherwise: T): T => {
    try {
      return read();
    } catch {
      return otherwise; // such a server answers with an error
    }
  };
  const decode = (text: string) => attempt(() => decodeURIComponent(text), text);
  const urlPath = (text: string) => attempt(() => new URL(text).pathname, "/desk/nowhere");
  const bare = (text: string) => text.replace(/^file:\/\//, "");
  const once = decode(uri);
  return [
    bare(uri),
    bare(once),
    bare(decode(once)),
    urlPath(uri),
    decode(urlPath(uri)),
    decode(decode(urlPath(uri))),
    urlPath(once),
    decode(urlPath(once)),
  ].flatMap((path) => [posix.normalize(path), posix.normalize(path.replaceAll("\\", "/"))]);
}

describe("any URI", () => {
  const part = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("/", "..", ".", "a", "secret", "%2e", "%2F", "%25") },
    fc.constantFrom("\\", "%5c", "\n", "\t", "%0a", "%00", "?", "#", "%73", "%2573", "s", "ecret"),
    fc.constantFrom("%", "2", "5", "e", "desk", "file:", " ", "%20", "\ud800", "é", "%c3%a9", ";"),
    fc.string({ unit: "binary", maxLength: 3 }),
  );
  const uri = fc.array(part, { maxLength: 9 }).map((parts) => `file:///desk/${parts.join("")}`);

  it("[G16] [P3] that a rule lets through leads to nothing outside of it, and to nothing denied", () => {
    const policy = createResourcePolicy([
      rules({
        allow: [{ resource: "file:///desk/*" }],
        deny: [{ resource: "file:///desk/secret*" }],
      }),
    ]);
    fc.assert(
      fc.property(uri, (asked) => {
        if (policy.permit(asked) === undefined) return;
        const astray = pathsOf(asked).filter(
          (path) => !`${path}/`.startsWith("/desk/") || path.startsWith("/desk/secret"),
        );
        expect(astray).toEqual([]);
      }),
    );
  });
});

describe("createPromptPolicy", () => {
  const server = rules({
    namePrefix: "p",
    allow: [{ prompt: "plan" }, { prompt: "ask*" }],
    deny: [{ prompt: "ask_admin" }],
  });

  it("[G16] prefixes prompts like tools, and lets deny win", () => {
    const policy = createPromptPolicy([server]);
    expect(policy.permit("one", "plan")).toMatchObject({ exposed: "p_plan", rule: "allow[0]" });
    expect(policy.permit("one", "ask_me")).toMatchObject({ exposed: "p_ask_me", rule: "allow[1]" });
    for (const hidden of ["ask_admin", "planned", "ask me"])
      expect(policy.permit("one", hidden)).toBeUndefined();
    expect(policy.permit("two", "plan")).toBeUndefined();
  });

  it("[G16] reports exact names that collide or that clients could not use", () => {
    const other = rules({ name: "two", allow: [{ prompt: "p_plan" }, { prompt: "a b" }] });
    expect(findPromptProblems([server, other])).toMatchObject([
      { server: "two", rule: 0, reason: expect.stringContaining("one.plan") },
      { server: "two", rule: 1, key: "prompt" },
    ]);
  });
});
