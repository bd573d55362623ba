import fc from "fast-check";
import { expect, it } from "vitest";
import { normalized, stem, termsOf } from "./words.ts";

it.each([
  ["searchIssues", ["search", "issu"]],
  ["search_issues", ["search", "issu"]],
  ["HTTPServer", ["http", "server"]],
  ["list-all.files", ["list", "fil"]],
  ["What is the weather?", ["weath"]],
  ["", []],
])("termsOf splits %j at camelCase and punctuation, without stop words", (text, terms) => {
  expect(termsOf(text)).toEqual(terms.map(stem));
});

it.each([
  ["search", "searches", "searched", "searching"],
  ["query", "queries"],
  ["translate", "translation", "translating", "translator"],
  ["map", "mapped", "mapping"],
  ["file", "files"],
])("stem brings forms of %s together", (...forms) => {
  expect(new Set(forms.map(stem)).size).toBe(1);
});

it("termsOf gives the pairs of neighbours of scripts without blanks", () => {
  expect(termsOf("查询天气")).toEqual(["查询", "询天", "天气"]);
  expect(termsOf("天气report")).toEqual(["天气", stem("report")]);
});

it("normalized compares names whatever their spelling", () => {
  expect(normalized("Search-Issues")).toBe(normalized("searchIssues"));
});

it("termsOf takes any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => Array.isArray(termsOf(text))));
});
