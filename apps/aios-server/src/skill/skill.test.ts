import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { limits } from "../limits.ts";
import { parseSkill } from "./skill.ts";

const skill = (yaml: string, folder = "plan-today") =>
  parseSkill(folder, `---\n${yaml}\n---\n# Body\n`, true);

describe("parseSkill", () => {
  it("[S1] reads name, description and triggers", () => {
    expect(
      skill(
        "name: plan\ndescription: >\n  Draft a\n  plan.\ntriggers:\n  - plan my day\n  - ' b '",
      ),
    ).toEqual({
      folder: "plan-today",
      name: "plan",
      description: "Draft a plan.",
      triggers: ["plan my day", "b"],
    });
  });

  it("[S13] takes a skill without front matter by its folder's name", () => {
    const bare = { folder: "a", name: "a", description: "", triggers: [] };
    for (const text of [
      "",
      "# Just Markdown\n",
      "---\n---\n",
      "---\nan open line, no front matter",
    ])
      expect(parseSkill("a", text, true)).toEqual(bare);
    expect(parseSkill("a", "\ufeff---\nname: b\n---", true)).toEqual({ ...bare, name: "b" });
  });

  it("[S1] takes triggers in one text, with commas or middle dots", () => {
    expect(skill("triggers: a b, c · d,, ")?.triggers).toEqual(["a b", "c", "d"]);
  });

  it("[S1] keeps all triggers, however many", () => {
    const many = Array.from({ length: 40 }, (_, at) => `t${at}`);
    expect(skill(`triggers: [${many}]`)?.triggers).toEqual(many);
  });

  it.each([
    "name: [a]",
    "name: 7",
    "name: Plan",
    "name: a_b",
    "name: ''",
    `name: ${"a".repeat(65)}`,
    "description: {a: b}",
    "description: true",
    'description: "a\\tb"',
    'description: "a\\u0085"',
    'description: "a\\u202eb"',
    'description: "a\\u2067b"',
    'description: "a\\ud800"',
    "triggers: {a: b}",
    "triggers: [1]",
    "triggers: 7",
    'triggers: ["a\\u0007"]',
    "when_to_use: 1",
    "- a list",
    "text",
    "a: [open",
    "name: a\nname: b",
  ])("[S13] has no use for the front matter %j", (yaml) => {
    expect(skill(yaml)).toBeUndefined();
  });

  it("[S13] has no use for a folder that is no name", () => {
    for (const folder of ["Plan", "a b", "a--b", "-a", "ä", "a".repeat(65)])
      expect(skill("name: plan", folder)).toBeUndefined();
    expect(skill("name: plan", "a".repeat(64))).toBeDefined();
  });

  it("[S13] has no use for front matter that does not end in what was read", () => {
    expect(parseSkill("a", "---\nname: b\n", false)).toBeUndefined();
    expect(parseSkill("a", "---\nname: b\n---\nbody", false)?.name).toBe("b");
    expect(parseSkill("a", "# body", false)?.name).toBe("a");
    const [under, on, over] = edges(limits.maxSkillHeadBytes).map((bytes) =>
      skill(`#${"x".repeat(bytes - 1)}`),
    );
    expect([under, on].every((one) => one !== undefined)).toBe(true);
    expect(over).toBeUndefined();
  });
});
