import { readFileSync } from "node:fs";
import { parseJsonDocument, parseStrict } from "@core/config";
import { expect, it } from "vitest";
import { entrySchema, fileSchema } from "./config/schema.ts";
import { errorCodes } from "./errors.ts";
import { parseRequest } from "./request/parse.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const blocks = [...readme.matchAll(/^```json\n(.*?)^```/gms)].map(([, block]) => block as string);

it("[A36] the README's configuration files are valid", () => {
  const files = blocks.filter((block) => block.includes("mcpServers"));
  expect(files.length).toBeGreaterThanOrEqual(2);
  for (const text of files) {
    const document = parseJsonDocument(text, { file: "README.md" });
    for (const name of Object.keys(parseStrict(fileSchema, document).mcpServers))
      parseStrict(entrySchema, document, { at: ["mcpServers", name] });
  }
});

it("[A36] the README's requests are valid", () => {
  const requests = blocks
    .filter((block) => !block.includes("mcpServers"))
    .join("")
    .trim()
    .split("\n");
  expect(requests.length).toBeGreaterThanOrEqual(10);
  for (const request of requests) parseRequest(JSON.parse(request));
});

it("[A36] the README's table of errors is that of the code", () => {
  const rows = tableRows().filter(([code]) => /^`[A-Z_]+`$/.test(code ?? ""));
  const table = rows.map(([code = "", meaning]) => [code.replaceAll("`", ""), meaning]);
  expect(Object.fromEntries(table)).toEqual(errorCodes);
});

it("[A36] the README's table of fields is that of the schema", () => {
  const rows = tableRows().filter(([, transport]) => /^(stdio|HTTP|both)$/.test(transport ?? ""));
  const fields = rows.map(([field = ""]) => field.replaceAll("`", ""));
  expect(fields.toSorted()).toEqual(Object.keys(entrySchema.out.shape).toSorted());
});

/** The cells of each line of a table. */
function tableRows(): string[][] {
  const lines = readme.split("\n").filter((line) => line.startsWith("|"));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}
