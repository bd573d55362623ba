import { describe, expect, it } from "vitest";
import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import { createLastProjection } from "./last-projection.ts";

const NOW = new Date(2026, 10, 30, 12);
const OLD = BigInt(NOW.getTime() - limits.minCachedAgeMs) * 1_000_000n - 1n;

/** Counts how often a projection is made, of a folder that may change in between. */
function createMaker(changedNs = OLD) {
  const seen = { made: 0, problem: undefined as Error | undefined };
  const verify = () => {
    if (seen.problem) throw seen.problem;
  };
  const make = () => {
    seen.made++;
    const markdown = `made ${seen.made}`;
    const projection = { markdown, truncated: false, project: null, skippedProjects: 0 };
    return { projection, reader: { verify, changedNs } };
  };
  return { seen, make };
}

describe("createLastProjection", () => {
  it("gives a projection again to whoever asks the same of an unchanged folder", () => {
    const { seen, make } = createMaker();
    const { recall } = createLastProjection();
    const asked = ["a", "a", "b", "a", "a"].map((key) => recall(key, NOW, make).markdown);
    expect(asked).toEqual(["made 1", "made 1", "made 2", "made 3", "made 3"]);
    expect(seen.made).toBe(3);
  });

  it("[S21] makes a new one when anything that was read is otherwise by now", () => {
    const { seen, make } = createMaker();
    const { recall } = createLastProjection();
    recall("a", NOW, make);
    seen.problem = new AiosError("SOURCE_CHANGED", { source: "a note" });
    expect(recall("a", NOW, make).markdown).toBe("made 2");
    seen.problem = new TypeError("a bug");
    expect(() => recall("a", NOW, make)).toThrow("a bug");
  });

  it("[S21] keeps none of a folder that changed within the last two seconds", () => {
    const { seen, make } = createMaker(OLD + 1n);
    const { recall } = createLastProjection();
    recall("a", NOW, make);
    recall("a", NOW, make);
    expect(seen.made).toBe(2);
  });

  it("keeps none where making one failed", () => {
    const { make } = createMaker();
    const { recall } = createLastProjection();
    recall("a", NOW, make);
    const fail = () => {
      throw new AiosError("SOURCE_LIMIT", { source: "the event log", rule: "it is too large" });
    };
    expect(() => recall("b", NOW, fail)).toThrow("too large");
    expect(recall("a", NOW, make).markdown).toBe("made 2");
  });
});
