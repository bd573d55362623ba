import { expect, it } from "vitest";
import { nearNames } from "./near.ts";
import { createToolSearch } from "./search.ts";
import { readTool, type Tool } from "./tool.ts";

const tools = ["read_file", "write_file", "list_directory"].map(
  (name) => readTool({ name }) as Tool,
);
const search = createToolSearch(tools);
const rejected = new Map<string, string>();
const catalog = { tools, rejected, find: () => undefined, search: () => search };

it.each([
  ["readFile", "read_file"],
  ["raed_file", "read_file"],
  ["list_directories", "list_directory"],
])("[A11] nearNames knows what %s may have meant", (wrong, right) => {
  expect(nearNames(wrong, catalog)[0]).toBe(right);
});

it("nearNames is empty where nothing is near", () => {
  expect(nearNames("xyzzy", catalog)).toEqual([]);
});
