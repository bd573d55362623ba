import { edges } from "test-fixtures";
import { expect, it } from "vitest";
import type { Client } from "../connection/client.ts";
import { limits } from "../limits.ts";
import { RESOURCE_REFERENCE } from "../request/schema.ts";
import { createReferences } from "./references.ts";

const client = () => ({}) as Client;
const counting = () => {
  let count = 0;
  return () => (count++).toString(16).padStart(32, "0");
};

it("[A17] a URI has one reference for a client, and another for the next", () => {
  const references = createReferences(counting());
  const [one, two] = [client(), client()];
  const reference = references.to(one, "memo:a") ?? "";
  expect(reference).toMatch(RESOURCE_REFERENCE);
  expect(references.to(one, "memo:a")).toBe(reference);
  expect(references.to(two, "memo:a")).not.toBe(reference);
  expect(references.uriOf(one, reference)).toBe("memo:a");
  expect(references.uriOf(two, reference)).toBeUndefined();
});

it("[A17] a client gives out only so many references, and keeps those that it gave", () => {
  const references = createReferences(counting());
  const one = client();
  const [, last, beyond] = edges(limits.maxReferences);
  const given = Array.from({ length: beyond }, (_, at) => references.to(one, `memo:${at}`));
  expect(given[last - 1]).toBeDefined();
  expect(given[last]).toBeUndefined();
  expect(references.to(one, "memo:0")).toBe(given[0]);
});
