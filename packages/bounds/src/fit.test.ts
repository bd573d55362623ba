import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FitRequest, fitItems } from "./fit.ts";
import { LimitError } from "./limit.ts";

const asJson = (items: readonly unknown[]) => JSON.stringify(items);

describe("the longest start that fits", () => {
  it.each([
    [2, []],
    [4, []],
    [5, ["a"]],
    [8, ["a"]],
    [9, ["a", "b"]],
    [12, ["a", "b"]],
    [13, ["a", "b", "c"]],
    [14, ["a", "b", "c"]],
  ])("[B2] a budget of %d units fits %o", (budget, included) => {
    const items = ["a", "b", "c"];
    const fitted = fitItems({ items, budget, render: asJson });
    expect(fitted).toEqual({
      text: JSON.stringify(included),
      included,
      left: items.slice(included.length),
    });
  });

  it("[B4] an answer that does not fit even without items is an error", () => {
    const request = { items: ["a"], budget: 1, render: asJson };
    expect(() => fitItems(request)).toThrow(new LimitError("budget", 1, 2));
    expect(() => fitItems({ ...request, budget: Number.NaN })).toThrow(RangeError);
  });

  it("[B2] all items fit where the note about the rest would not", () => {
    const fitted = fitItems({ items: ["one", "two"], budget: 7, render: withNote });
    expect(fitted.text).toBe("one two");
    expect(fitItems({ items: ["one", "two"], budget: 6, render: withNote }).text).toBe("2 left");
  });

  it("[B2] counts UTF-16 units, not bytes or code points", () => {
    const render = (items: readonly string[]) => items.join("");
    expect(fitItems({ items: ["😀", "😀"], budget: 3, render }).text).toBe("😀");
    expect(fitItems({ items: ["é", "é", "é"], budget: 2, render }).text).toBe("éé");
  });

  it("[B2] renders a number of times that grows with the logarithm of the items", () => {
    let renders = 0;
    const items = Array.from({ length: 10_000 }, (_, index) => `item ${index}`);
    const render = (included: readonly string[]) => {
      renders++;
      return asJson(included);
    };
    const { included } = fitItems({ items, budget: 50_000, render });
    expect(included.length).toBeGreaterThan(1_000);
    expect(renders).toBeLessThan(40);
  });
});

describe("with skip", () => {
  it("[B2] passes over what does not fit and keeps the order", () => {
    const items = ["a", "very long item", "b", "another long item", "c"];
    const fitted = fitItems({ items, budget: 13, render: asJson, skip: true });
    expect(fitted).toEqual({
      text: '["a","b","c"]',
      included: ["a", "b", "c"],
      left: ["very long item", "another long item"],
    });
  });
});

/** Items with a note that shrinks with what is left, and vanishes when nothing is. */
function withNote(included: readonly string[], left: number): string {
  return [...included, ...(left > 0 ? [`${left} left`] : [])].join(" ");
}

const requests = fc.record({
  items: fc.array(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 30 }),
  budget: fc.integer({ min: 7, max: 90 }),
  render: fc.constantFrom(withNote, asJson),
});

it("[B2] [P3] includes exactly what trying every start finds", () => {
  fc.assert(
    fc.property(requests, (request) => {
      const { items, budget, render } = request;
      const fits = (count: number) =>
        render(items.slice(0, count), items.length - count).length <= budget;
      const counts = Array.from({ length: items.length + 1 }, (_, count) => count);
      const best = counts.findLast(fits)!;
      const fitted = fitItems(request);
      expect(fitted.included).toEqual(items.slice(0, best));
      expect(fitted.left).toEqual(items.slice(best));
      expect(fitted.text).toBe(render(fitted.included, fitted.left.length));
    }),
    { numRuns: 2_000 },
  );
});

it("[B2] [P3] with skip includes exactly what trying every item in turn finds", () => {
  fc.assert(
    fc.property(requests, (request) => {
      const fitted = fitItems({ ...request, skip: true });
      expect(fitted.included).toEqual(inTurn(request));
      expect(fitted.text.length).toBeLessThanOrEqual(request.budget);
      expect([...fitted.included, ...fitted.left].toSorted()).toEqual(request.items.toSorted());
    }),
    { numRuns: 2_000 },
  );
});

function inTurn({ items, budget, render }: FitRequest<string>): readonly string[] {
  if (render(items, 0).length <= budget) return items;
  let included: string[] = [];
  for (const item of items) {
    const next = [...included, item];
    if (render(next, items.length - next.length).length <= budget) included = next;
  }
  return included;
}
