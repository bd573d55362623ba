import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "../src/index.ts";

interface Difference {
  readonly suites: readonly string[];
  readonly reason: string;
  readonly reference: string;
}
interface Expected {
  readonly gatewayDifferences: readonly (Difference & {
    readonly doors: readonly string[];
    readonly scenarios: readonly string[];
  })[];
  readonly adapterDifferences: readonly (Difference & { readonly scenario: string })[];
}
interface Run {
  readonly serverSuites: readonly { readonly title: string }[];
  readonly clientSuites: readonly {
    readonly title: string;
    readonly scenarios: readonly string[];
  }[];
  readonly leftOut: readonly { readonly reason: string }[];
}

const room = join(repository, "test-fixtures", "conformance");
const load = async <T>(name: string) => (await import(join(room, name))) as T;
const { gatewayDifferences, adapterDifferences } = await load<Expected>("differences.mjs");
const { serverSuites, clientSuites, leftOut } = await load<Run>("suites.mjs");
const page = readFileSync(join(repository, "docs", "conformance.md"), "utf8");

/** The rows of the table under a heading, each cell by its column. */
function tableUnder(heading: string): Record<string, string>[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("| "));
  const [head = [], , ...rows] = lines.map((line) => line.slice(2, -2).split(" | "));
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ""])));
}

/** Each cell that did not pass, as `SCENARIO by COLUMN`. */
const boldIn = (heading: string) =>
  tableUnder(heading).flatMap(({ scenario, ...cells }) =>
    Object.entries(cells).flatMap(([column, cell]) =>
      cell.startsWith("**") ? [`${scenario} by ${column}`] : [],
    ),
  );

describe("docs/conformance.md", () => {
  it.each(serverSuites)(
    "[P2] fails through the gateway what is expected, in $title",
    ({ title }) => {
      const expected = gatewayDifferences
        .filter(({ suites }) => suites.includes(title))
        .flatMap(({ scenarios, doors }) =>
          scenarios.flatMap((scenario) => doors.map((door) => `${scenario} by ${door}`)),
        );
      expect(boldIn(`Server: ${title}`).sort()).toEqual(expected.sort());
      expect(tableUnder(`Server: ${title}`).length).toBeGreaterThan(20);
    },
  );

  it.each(clientSuites)(
    "[P2] fails with the adapter what is expected, in $title",
    ({ title, scenarios }) => {
      const expected = adapterDifferences
        .filter(({ suites }) => suites.includes(title))
        .map(({ scenario }) => `${scenario} by adapter`);
      const table = tableUnder(`Adapter: ${title}`);
      expect(boldIn(`Adapter: ${title}`).sort()).toEqual(expected.sort());
      expect(table.map(({ scenario }) => scenario)).toEqual(scenarios);
    },
  );

  it("[P2] gives the reason of each difference, with the specification, and of what is left out", () => {
    const rows = tableUnder("Expected differences");
    const all: Difference[] = [...gatewayDifferences, ...adapterDifferences];
    expect(rows.map(({ why }) => why)).toEqual(all.map(({ reason }) => reason));
    for (const [at, { reference }] of all.entries())
      expect(rows[at]?.specification).toContain(`](${reference})`);
    expect(tableUnder("Left out").map(({ why }) => why)).toEqual(
      leftOut.map(({ reason }) => reason),
    );
  });
});
