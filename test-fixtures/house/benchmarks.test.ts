import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { speedGoals } from "../requirements/speed.ts";

const page = new URL("../../docs/benchmarks.md", import.meta.url);

it("[P4] the page of benchmarks has a figure for every goal, in the words of the goal", () => {
  const cells = readFileSync(page, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const unmeasured = speedGoals.filter(
    ({ what, least }) =>
      !cells.some(
        ([, first, second, figure = ""]) => first === what && second === least && /\d/.test(figure),
      ),
  );
  expect(unmeasured).toEqual([]);
});
