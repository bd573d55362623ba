import { expect, it } from "vitest";
import { readResource, readTemplate, withoutUris } from "./resource.ts";

it.each([
  ["at https://u:p@x.example/a?token=1, or there", undefined, "at [URI] or there"],
  ["see (https://x.example/a) and <file:///etc/x>", undefined, "see ([URI]) and <[URI]>"],
  ["memo:one is memo:one", "memo:one", "[URI] is [URI]"],
  ["a:b and 12:30 stay", undefined, "a:b and 12:30 stay"],
])("[A17] withoutUris makes %j with %j to %j", (text, uri, shown) => {
  expect(withoutUris(text, uri)).toBe(shown);
});

it("[A17] an entry without a URI is none, and all else may be missing or odd", () => {
  expect(readResource({ name: "x" })).toBeUndefined();
  expect(readResource("text")).toBeUndefined();
  expect(readTemplate({ name: "x" })).toBeUndefined();
  const nothing = { title: undefined, description: undefined, mimeType: undefined };
  const odd = { uri: "a:b", name: 7, size: "9", mimeType: null };
  const name = "without a name";
  expect(readResource(odd)).toEqual({ uri: "a:b", size: undefined, name, ...nothing });
  expect(readTemplate({ uriTemplate: "a:{b}" })).toEqual({
    uriTemplate: "a:{b}",
    name,
    ...nothing,
  });
});
