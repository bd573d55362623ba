import { describe, expect, it } from "vitest";
import { splitFrontMatter } from "./front-matter.ts";

describe("splitFrontMatter", () => {
  it.each([
    ["---\na: 1\n---\nbody\n", "a: 1", "body\n"],
    ["---\r\na: 1\r\n---\r\nbody\r\n", "a: 1\r", "body\r\n"],
    ["\ufeff---\na: 1\n---\nbody", "a: 1", "body"],
    ["---\n---\nbody", "", "body"],
    ["---  \na: 1\n--- \t\n---\n", "a: 1", "---\n"],
  ])("splits %j", (text, yaml, body) => {
    expect(splitFrontMatter(text)).toEqual({ yaml, body });
  });

  it.each([
    "",
    "body",
    "\n---\na: 1\n---\n",
    "---\na: 1\n",
    "----\na: 1\n----\n",
    "a\n---\nb\n---",
  ])("takes %j for body alone", (text) => {
    expect(splitFrontMatter(text)).toEqual({ yaml: undefined, body: text });
  });
});
