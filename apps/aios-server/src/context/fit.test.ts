import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseProject } from "../reader/project.ts";
import { fitContext } from "./fit.ts";
import { renderContext } from "./render.ts";
import { NO_SECTIONS, type Sections } from "./sections.ts";

const head = { receipt: "Memory: Shared", today: "2026-11-30" };
const MARKER = "\n\n[context budget reached]";
const fit = (sections: Partial<Sections>, budget: number, hasSelection = false) =>
  fitContext({ ...NO_SECTIONS, ...sections }, { ...head, budget, hasSelection });

const project = parseProject(
  "oak",
  "---\nname: Oak\nstatus: active\ndomain: make\n---\nSounds.\n\nMore.",
);

describe("renderContext", () => {
  it("[S6] writes the sections in their order under their headings", () => {
    const sections: Sections = {
      identity: "Ines",
      priorities: "First",
      work: "Now",
      decisions: ["One"],
      focus: "Freeze",
      plan: ["Call"],
      carryOvers: ["Order"],
      project,
      sessions: ["a session"],
      signals: ["[2026-11-30] a signal"],
      events: ["[2026-11-30] an event"],
    };
    expect(renderContext(sections, head)).toBe(
      [
        "Memory: Shared\n",
        "## Active Context · 2026-11-30\n",
        "### Identity\nInes\n",
        "### Priorities\nFirst\n",
        "### Current Work\nNow\n",
        "### Decisions\n- One\n",
        "### Today\n**Focus:** Freeze\n- Call\n",
        "### Carry-overs\n- Order\n",
        "### Active Project\n- Oak · active · make\n  Sounds.\n> Sounds.\n>\n> More.\n",
        "### Recent Sessions\n- a session\n",
        "### Recent Signals\n- [2026-11-30] a signal\n",
        "### Recent Events\n- [2026-11-30] an event",
      ].join("\n"),
    );
  });

  it("[S6] leaves out what is empty", () => {
    expect(renderContext(NO_SECTIONS, head)).toBe(
      "Memory: Shared\n\n## Active Context · 2026-11-30",
    );
    expect(renderContext({ ...NO_SECTIONS, plan: ["Call"] }, head)).toContain("### Today\n- Call");
  });

  it("does not repeat an excerpt that is the description, and keeps facts on one line", () => {
    const odd = {
      ...project!,
      name: "Oak\n# Not a heading",
      description: "Sounds.",
      excerpt: "Sounds.",
    };
    expect(renderContext({ ...NO_SECTIONS, project: odd }, head)).toContain(
      "- Oak # Not a heading · active · make\n  Sounds.",
    );
  });
});

describe("fitContext", () => {
  it("[S6] keeps everything at exactly its length and marks what one unit less costs", () => {
    const sections = { identity: "x".repeat(300), events: ["[2026-11-30] last"] };
    const whole = renderContext({ ...NO_SECTIONS, ...sections }, head);
    expect(fit(sections, whole.length)).toEqual({ markdown: whole, truncated: false });
    const less = fit(sections, whole.length - 1);
    expect(less.truncated).toBe(true);
    expect(less.markdown.endsWith(`${"x".repeat(300)}${MARKER}`)).toBe(true);
  });

  it("[S6] skips a block that is too large and lets a smaller later one in", () => {
    const { markdown } = fit({ identity: "i".repeat(400), priorities: "p", decisions: ["d"] }, 256);
    expect(markdown).not.toContain("iii");
    expect(markdown).toContain("### Priorities\np\n\n### Decisions\n- d");
  });

  it("[S6] takes lists item by item and stops each at its first miss", () => {
    const items = ["a", "b".repeat(200), "c"];
    const { markdown } = fit({ plan: items, signals: ["later"] }, 256);
    expect(markdown).toContain("### Today\n- a\n\n### Recent Signals\n- later");
  });

  it("[S6] takes decisions all or not at all", () => {
    const { markdown } = fit({ decisions: ["a", "b".repeat(200)] }, 256);
    expect(markdown).not.toContain("Decisions");
  });

  it("[S6] prefers a selected project to today, and today to an inferred one", () => {
    const sections = { project: { ...project!, excerpt: "" }, focus: "f".repeat(140) };
    expect(fit(sections, 256, true).markdown).toContain("### Active Project");
    expect(fit(sections, 256, false).markdown).toContain("**Focus:**");
  });

  it("[S6] cuts what is already in for the marker, never through a surrogate pair", () => {
    const sections = { identity: "\u{1f30a}".repeat(94), events: ["e".repeat(99)] };
    const { markdown } = fit(sections, 256);
    expect(markdown).not.toMatch(/\p{Surrogate}/u);
    expect(markdown.length).toBeLessThanOrEqual(256);
    expect(markdown.endsWith(`\u{1f30a}${MARKER}`)).toBe(true);
  });

  it("[S6] never exceeds its budget and is marked exactly when something is missing", () => {
    const text = fc.string({ maxLength: 400 });
    const list = fc.array(fc.string({ minLength: 1, maxLength: 120 }), { maxLength: 9 });
    const sections = fc.record({
      identity: text,
      priorities: text,
      decisions: list,
      focus: text,
      plan: list,
      sessions: list,
      events: list,
    });
    fc.assert(
      fc.property(
        sections,
        fc.integer({ min: 256, max: 3_000 }),
        fc.boolean(),
        (some, budget, selected) => {
          const whole = renderContext({ ...NO_SECTIONS, ...some }, head);
          const { markdown, truncated } = fit(some, budget, selected);
          expect(markdown.length).toBeLessThanOrEqual(budget);
          expect(truncated).toBe(whole.length > budget);
          expect(truncated ? markdown.endsWith(MARKER) : markdown === whole).toBe(true);
        },
      ),
    );
  });
});
