import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { limits } from "../limits.ts";
import { parseProject, withEllipsis } from "./project.ts";

const readme = (yaml: string, body = "") => `---\n${yaml}\n---\n${body}`;

describe("parseProject", () => {
  it("[S1] reads identity, facts and excerpt", () => {
    const text = readme(
      "id: prj-1\nproject: tide\nname: Tidewater\nstatus: active\ndomain: [build, sell]\ndescription: Tables.",
      "# Tidewater\n\nHarbour packs.\n",
    );
    expect(parseProject("tidewater", text)).toEqual({
      slug: "tidewater",
      id: "prj-1",
      alias: "tide",
      name: "Tidewater",
      status: "active",
      domains: ["build", "sell"],
      description: "Tables.",
      excerpt: "Harbour packs.",
    });
  });

  it("[S1] falls back to older keys, the title, the first prose and the folder's name", () => {
    const text = readme(
      "project_id: prj-1\nslug: tide\ndomain: build, sell",
      "\n<!-- draft -->\n# Tide tables\n- a list\n\nProse.\n",
    );
    expect(parseProject("tidewater", text)).toMatchObject({
      id: "prj-1",
      alias: "tide",
      name: "Tide tables",
      status: "unknown",
      domains: ["build", "sell"],
      description: "Prose.",
    });
    expect(parseProject("tidewater", readme("slug: tide"))?.name).toBe("tide");
    expect(parseProject("tidewater", "")).toEqual({
      slug: "tidewater",
      id: undefined,
      alias: undefined,
      name: "tidewater",
      status: "unknown",
      domains: [],
      description: "",
      excerpt: "",
    });
  });

  it.each([
    "id: a\nid: b",
    "id: a\nproject_id: b",
    "id: 42",
    "id: ' a '",
    'id: ""',
    'id: "a\\u0007"',
    "project: [a]",
    "- a list",
    "id: [unclosed",
    `id: ${"x".repeat(limits.maxProjectCodePoints + 1)}`,
    `id: a\nnote: ${"x".repeat(limits.maxFrontMatterBytes)}`,
  ])("[S5] finds no identity in %j", (yaml) => {
    expect(parseProject("tidewater", readme(yaml))).toBeUndefined();
  });

  it("[S1] accepts the same id twice and takes null for absent", () => {
    expect(parseProject("a", readme("id: x\nproject_id: x"))?.id).toBe("x");
    expect(parseProject("a", readme("id: null\nproject: ~"))).toMatchObject({
      id: undefined,
      alias: undefined,
    });
  });

  it("[S1] cuts the excerpt at its limit", () => {
    const lengths = edges(limits.maxExcerptUnits).map((length) => {
      const { excerpt } = parseProject("a", "x".repeat(length))!;
      return [excerpt.length, excerpt.endsWith("…")];
    });
    expect(lengths).toEqual([
      [1_199, false],
      [1_200, false],
      [1_200, true],
    ]);
  });
});

describe("withEllipsis", () => {
  it("never splits a surrogate pair", () => {
    expect(withEllipsis("ab\u{1f30a}\u{1f30a}", 4)).toBe("ab…");
    expect(withEllipsis("ab\u{1f30a}\u{1f30a}", 5)).toBe("ab\u{1f30a}…");
    expect(withEllipsis("ab\u{1f30a}\u{1f30a}", 6)).toBe("ab\u{1f30a}\u{1f30a}");
  });
});
