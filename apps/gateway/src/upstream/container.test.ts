import { describe, expect, it } from "vitest";
import { findRun } from "./container.ts";

describe("findRun", () => {
  it.each([
    ["run -i image", 0],
    ["--context c -D run image run", 3],
    ["--host=h container run image", 2],
    ["exec box run", undefined],
    ["compose run web", undefined],
    ["--context run ps", undefined],
    ["", undefined],
  ])("[G13] finds the command run in %j", (line, at) => {
    expect(findRun(line.split(" ").filter((word) => word !== ""))).toBe(at);
  });
});
