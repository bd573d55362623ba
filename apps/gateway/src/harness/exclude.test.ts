import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { createTempFolder } from "test-fixtures";
import { expect, it } from "vitest";
import { addExclude, removeExclude, withLine, withoutLine } from "./exclude.ts";

it("[G22] takes a line out of a list to the byte, with or without a final line end", () => {
  const lists = fc
    .array(fc.constantFrom("# mine", "*.o", "", "/dir/\r"))
    .map((all) => all.join("\n"));
  fc.assert(
    fc.property(lists, (text) => {
      expect(withoutLine(withLine(text, "/.mcp.json"), "/.mcp.json")).toBe(text);
    }),
  );
});

it("[G22] leaves a list alone that has the line no more", () => {
  expect(withoutLine("/.mcp.json2\n# /.mcp.json\n", "/.mcp.json")).toBe(
    "/.mcp.json2\n# /.mcp.json\n",
  );
});

it("[G22] makes a list that is missing, and removes it with its only line", async () => {
  await using folder = createTempFolder();
  const exclude = { file: join(folder.path, "info", "exclude"), line: "/.mcp.json" };
  await addExclude(exclude);
  expect(readFileSync(exclude.file, "utf8")).toBe("/.mcp.json\n");
  await removeExclude(exclude);
  expect(existsSync(exclude.file)).toBe(false);
  await removeExclude(exclude);
});
