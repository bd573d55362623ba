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
    for (const path of ["..a", "a..b", "a%20b/...", ""])
      expect(read(`file:///desk/${path}`, all)).toBe("one");
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
