import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "test-fixtures";
import { expect, it } from "vitest";
import { AGENTS } from "./agent.ts";
import { fragmentFor, rowOf } from "./fragment.ts";
import { npxLaunch } from "./launch.ts";

const page = readFileSync(join(repository, "docs", "compatibility.md"), "utf8");
const around = { home: "~", folder: "/", environment: {}, platform: "linux" } as const;

it("[S25] docs/compatibility.md has each agent's client, file and evidence in four levels", () => {
  const rows = page
    .split("\n")
    .filter((line) => /^\| `\w+` \|/.test(line))
    .map((line) => line.slice(2, -2).split(" | "));
  const launch = npxLaunch({ version: "1.0.0", folder: "/a", platform: "linux" });
  const expected = AGENTS.map((agent) => [
    `\`${agent}\``,
    rowOf(agent).title,
    `\`${fragmentFor(agent, launch, around).target}\``,
  ]);
  expect(rows.map((row) => row.slice(0, 3))).toEqual(expected);
  // What no test of this repository shows is not claimed.
  for (const row of rows) expect(row.slice(4)).toEqual(["yes", "not seen", "not seen", "not seen"]);
});
