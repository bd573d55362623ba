import { readFileSync } from "node:fs";
import { clients, documentedClientFile, locateClientFiles } from "@core/clients";
import { expect, it } from "vitest";

const page = readFileSync(new URL("../docs/clients.md", import.meta.url), "utf8");
const around = { home: "~", folder: ".", environment: {}, platform: "linux" } as const;

/** The rows of the table of harnesses as the data has them. */
function harnessRows(): string[] {
  return clients.map((row) => {
    const files = (scope: "project" | "global") => {
      const paths = locateClientFiles(row, scope, around).map(({ path }) => `\`${path}\``);
      return paths.length === 0 ? "no target" : paths.reverse().join(", newer: ");
    };
    const { sse, reference } = row;
    const token = reference === undefined ? "literal only" : "literal, reference";
    return [row.id, row.title, files("project"), files("global"), sse ? "kept" : "`/mcp`", token]
      .map((cell, index) => (index === 0 ? `\`${cell}\`` : cell))
      .join(" | ");
  });
}

it("[G27] the table of harnesses says what the data say", () => {
  const rows = page
    .split("\n")
    .filter((line) => /^\| `\w+` +\|/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim())
        .join(" | "),
    );
  expect(rows).toEqual(harnessRows());
});

it("[G27] no harness of the table is documented at a place that init never writes", () => {
  for (const row of clients)
    for (const scope of ["project", "global"] as const) {
      const places = locateClientFiles(row, scope, around).map(({ path }) => path);
      const documented = documentedClientFile(row, scope, around);
      if (documented !== undefined) expect(places).toContain(documented);
    }
});
