import { expect, it } from "vitest";
import { oneSlipFrom } from "./slip.ts";

const vocabulary = ["calculat", "calendar", "convert", "email", "mail", "weather"];

it.each([
  ["caculat", "a letter missing", ["calculat"]],
  ["calcullat", "a letter too many", ["calculat"]],
  ["calkulat", "another letter", ["calculat"]],
  ["claculat", "two neighbours swapped", ["calculat"]],
  ["convertt", "a letter too many at the end", ["convert"]],
  ["conver", "a letter missing at the end", ["convert"]],
  ["waether", "two neighbours swapped", ["weather"]],
  ["kalculat", "a wrong first letter", []],
  ["cacullat", "two slips", []],
  ["mial", "a short word", []],
])("[A14] %s, %s, is read as %j", (word, _slip, meant) => {
  expect(oneSlipFrom(word, vocabulary)).toEqual(meant);
});
