import { describe, expect, it } from "vitest";
import { createToolSearch } from "./search.ts";
import { readTool, type Tool } from "./tool.ts";

const tool = (name: string, description = "", args: string[] = []): Tool =>
  readTool({
    name,
    description,
    inputSchema: { type: "object", properties: Object.fromEntries(args.map((a) => [a, {}])) },
  }) as Tool;

const catalog = [
  tool("create_issue", "Open a new issue in a repository", ["title", "body"]),
  tool("search_issues", "Search issues and pull requests", ["query"]),
  tool("search", "Full-text search of everything"),
  tool("list_files", "List the files of a folder", ["path"]),
  tool("get_weather", "Forecast for a city", ["city"]),
  tool("查询天气", "查询城市的天气预报"),
  tool("edit_image", "Rotate or crop a picture", ["angle"]),
];
const { find } = createToolSearch(catalog);
const names = (query: string) => find(query).tools.map(({ name }) => name);

describe("createToolSearch", () => {
  it("[A14] puts the exact name first and names that start with the query next", () => {
    expect(names("search").slice(0, 2)).toEqual(["search", "search_issues"]);
    expect(names("Search Issues")[0]).toBe("search_issues");
  });

  it.each([
    ["file listing", "list_files"],
    ["find an issue", "search_issues"],
    ["new ticket", "create_issue"],
    ["angle", "edit_image"],
    ["the wheather", "get_weather"],
    ["city", "get_weather"],
    ["天气", "查询天气"],
  ])("[A14] finds by words of %j", (query, expected) => {
    expect(names(query).slice(0, 3)).toContain(expected);
  });

  it("[A14] says when nothing matches well", () => {
    expect(find("list files").weak).toBe(false);
    expect(find("reserve a table for dinner in a folder somewhere nice").weak).toBe(true);
    expect(find("xyzzy")).toEqual({ tools: [], weak: true });
  });

  it("[A14] gives the same order each time, and equal tools in catalog order", () => {
    const twins = createToolSearch([tool("two", "blue"), tool("one", "blue")]);
    expect(twins.find("blue").tools.map(({ name }) => name)).toEqual(["two", "one"]);
    expect(names("search issue")).toEqual(names("search issue"));
  });

  it("takes empty catalogs and queries without words", () => {
    expect(createToolSearch([]).find("x").tools).toEqual([]);
    expect(find("?!").tools).toEqual([]);
    expect(find("the of").tools).toEqual([]);
  });
});
