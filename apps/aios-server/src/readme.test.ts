import { readFileSync } from "node:fs";
import { KIB, MIB } from "@core/bounds";
import { sampleAios } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { sampleNoon } from "../test/clock.ts";
import { AGENTS } from "./clients/agent.ts";
import { AiosError, errorCodes } from "./errors.ts";
import { limits } from "./limits.ts";
import { createAiosServer } from "./server.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const server = createAiosServer({ folder: sampleAios, version: "1.0.0", now: sampleNoon });

/** The rows of the table below a heading, as the texts of their cells. */
function tableBelow(heading: string): string[][] {
  const section = readme.split(/^#{2,3} /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const [, , ...rows] = section.split("\n").filter((line) => line.startsWith("|"));
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

/** What a cell says of an argument's JSON Schema. */
function describeArgument(schema: Record<string, unknown>, isRequired: boolean): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((word) => `\`${word}\``).join(", ");
  if (schema.type === "integer") return `${shown(schema.minimum)} to ${shown(schema.maximum)}`;
  const length = `text, ${schema.minLength} to ${schema.maxLength} characters`;
  return isRequired ? `${length}, required` : length;
}

function describeDefault(value: unknown): string {
  return typeof value === "string" ? `\`${value}\`` : value === undefined ? "" : shown(value);
}

function shown(value: unknown): string {
  return Number(value).toLocaleString("en-US");
}

describe("the README", () => {
  it.each(server.tools)(
    "[S14] describes the arguments of $name as its schema does",
    ({ name, inputSchema }) => {
      const { properties, required = [] } = inputSchema as unknown as {
        properties: Record<string, Record<string, unknown>>;
        required?: string[];
      };
      const expected = Object.entries(properties).map(([argument, schema]) => [
        `\`${argument}\``,
        describeArgument(schema, required.includes(argument)),
        describeDefault(schema.default),
      ]);
      expect(tableBelow(name).map((row) => row.slice(0, 3))).toEqual(expected);
    },
  );

  it.each(server.tools)(
    "[S25] shows an answer of $name that the code gives",
    async ({ name, call }) => {
      const example = new RegExp(
        `^\`${name}\` with \`([^\n]*)\`:\n\n\`\`\`json\n(.*?)^\`\`\``,
        "ms",
      );
      const [, given = "", answer = ""] = example.exec(readme) ?? [];
      const text = await call(JSON.parse(given), new AbortController().signal);
      // The clock of the test's machine may be of another zone.
      const timeless = (json: string) => ({ ...JSON.parse(json), generated_at: undefined });
      expect(timeless(answer)).toEqual(timeless(text));
    },
  );

  it("[S25] has each error once, with its kind", () => {
    const expected = errorCodes.map((code) => [`\`${code}\``, new AiosError(code).kind]);
    expect(tableBelow("What can go wrong").map(([code, kind]) => [code, kind])).toEqual(expected);
  });

  it("[S25] states limits as the code has them", () => {
    const units: Record<string, number> = { KiB: KIB, MiB: MIB };
    const rows = tableBelow("Limits").map(([name = "", most = ""]) => {
      const [number = "", unit = ""] = most.split(" ");
      return [name.replaceAll("`", ""), Number(number.replaceAll(",", "")) * (units[unit] ?? 1)];
    });
    expect(rows.length).toBeGreaterThan(20);
    expect(limits).toMatchObject(Object.fromEntries(rows));
  });

  it("[S25] says what comes first, what it cannot do, and what is not here", () => {
    for (const said of [
      /experimental and optional/i,
      /`AGENTS\.md`.*native links.*`dotaios brief --compact`/,
      /browser no access to your files/,
      /processed by the AI provider/,
      /smallest budget is 3,530/,
      /no argument of any tool, and no text of a task, can approve one/,
      /original DotAIOS program has a bin `dotaios`/,
      /docs\/compatibility\.md/,
    ])
      expect(readme.replace(/\n(> )?/g, " ")).toMatch(said);
  });

  it("[S25] names every agent", () => {
    for (const agent of AGENTS) expect(readme).toContain(`\`${agent}\``);
  });
});
