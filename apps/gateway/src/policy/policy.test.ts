import fc from "fast-check";
import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { createPolicy, findPolicyProblems, type ServerRules } from "./policy.ts";

const rules = (change: Partial<ServerRules>): ServerRules => ({
  name: "server",
  namePrefix: undefined,
  allow: [],
  deny: [],
  ...change,
});

const namesOf = (list: readonly { tool: string }[]) => list.map(({ tool }) => tool);

describe("createPolicy", () => {
  it("[G10] exposes prefix_tool, or the tool's own name without a prefix", () => {
    const policy = createPolicy([
      rules({ name: "issue_tracker", namePrefix: "tracker", allow: [{ tool: "list_issues" }] }),
      rules({ name: "plain", allow: [{ tool: "echo" }] }),
    ]);
    expect(policy.permit("tracker_list_issues")).toMatchObject({
      server: "issue_tracker",
      tool: "list_issues",
    });
    expect(policy.permit("echo")).toMatchObject({ server: "plain", tool: "echo" });
  });

  it("[G10] lets deny win, hides what is not listed and exposes nothing without allow", () => {
    const policy = createPolicy([
      rules({ allow: [{ tool: "read" }, { tool: "delete" }], deny: [{ tool: "delete" }] }),
      rules({ name: "closed" }),
    ]);
    expect(policy.permit("read")).toBeDefined();
    expect(policy.permit("delete")).toBeUndefined();
    expect(policy.permit("write")).toBeUndefined();
    expect(policy.exposedBy("closed").size).toBe(0);
    expect(policy.exposedBy("no such server").size).toBe(0);
  });

  it("[G10] looks names up exactly, so that a_ + b and a + _b cannot be confused", () => {
    const policy = createPolicy([
      rules({ name: "one", namePrefix: "a", allow: [{ tool: "b_c" }] }),
      rules({ name: "two", namePrefix: "a_b", allow: [{ tool: "d" }] }),
    ]);
    expect(policy.permit("a_b_c")?.server).toBe("one");
    expect(policy.permit("a_b_d")?.server).toBe("two");
    expect(policy.permit("A_b_c")).toBeUndefined();
    expect(policy.permit("__proto__")).toBeUndefined();
  });

  it("[G10] lists a tool if and only if it can be called", () => {
    const rule = fc.record({ tool: fc.constantFrom("a", "b", "c", "a_b", "b_c") });
    const server = fc.record({
      name: fc.constantFrom("s1", "s2", "s3"),
      namePrefix: fc.option(fc.constantFrom("a", "p"), { nil: undefined }),
      allow: fc.array(rule),
      deny: fc.array(rule),
    });
    fc.assert(
      fc.property(fc.uniqueArray(server, { selector: ({ name }) => name }), (servers) => {
        fc.pre(findPolicyProblems(servers).length === 0);
        const policy = createPolicy(servers);
        for (const { name, allow, deny } of servers) {
          const exposed = policy.exposedBy(name);
          expect(new Set(exposed.keys())).toEqual(
            new Set(namesOf(allow).filter((tool) => !namesOf(deny).includes(tool))),
          );
          for (const call of exposed.values()) expect(policy.permit(call.exposed)).toBe(call);
        }
      }),
    );
  });
});

describe("findPolicyProblems", () => {
  it("[G10] reports two exposed names that collide, within a server and between two", () => {
    const problems = findPolicyProblems([
      rules({
        name: "one",
        namePrefix: "a",
        allow: [{ tool: "b_c" }, { tool: "x" }, { tool: "x" }],
      }),
      rules({ name: "two", namePrefix: "a_b", allow: [{ tool: "c" }] }),
    ]);
    expect(problems).toMatchObject([
      { server: "one", rule: 2 },
      { server: "two", rule: 0, reason: expect.stringContaining("one.b_c") },
    ]);
  });

  it("[G10] reports no collision with a denied tool", () => {
    const servers = [
      rules({ name: "one", allow: [{ tool: "x" }], deny: [{ tool: "x" }] }),
      rules({ name: "two", allow: [{ tool: "x" }] }),
    ];
    expect(findPolicyProblems(servers)).toEqual([]);
  });

  it("[G10] accepts exposed names of up to 64 characters of A-Za-z0-9_.- and no others", () => {
    const [under, on, over] = edges(64);
    const count = (tool: string) => findPolicyProblems([rules({ allow: [{ tool }] })]).length;
    expect([under, on, over].map((length) => count("x".repeat(length)))).toEqual([0, 0, 1]);
    expect(
      findPolicyProblems([rules({ namePrefix: "p".repeat(60), allow: [{ tool: "abcd" }] })]),
    ).toHaveLength(1);
    expect(["A.b-c_9", "", "a b", "a/b", "ä", "*"].map(count)).toEqual([0, 1, 1, 1, 1, 1]);
  });
});
