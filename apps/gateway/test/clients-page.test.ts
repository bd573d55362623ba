import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { clients, documentedClientFile, locateClientFiles } from "@core/clients";
import { expect, it } from "vitest";
import { renderIndex, renderPage, renderReadmeTable, replaceSection } from "./clients-pages.ts";

// These pages are made from the table of clients. After a change to it:
// node scripts/pm.mjs exec vitest run --project gateway test/clients-page -u

const app = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

it.each(clients)("[G27] the page of $id says what its row says", async (row) => {
  await expect(renderPage(row)).toMatchFileSnapshot(app(`docs/clients/${row.id}.md`));
});

it("[G27] there is a page for each harness, and no other", () => {
  const pages = clients.map(({ id }) => `${id}.md`);
  expect(readdirSync(app("docs/clients")).sort()).toEqual(pages);
});

it.each([
  ["docs/clients.md", renderIndex],
  ["README.md", renderReadmeTable],
])("[G27] the table of harnesses in %s says what the data say", async (path, render) => {
  const text = readFileSync(app(path), "utf8");
  const expected = replaceSection(text, "harnesses", render(clients));
  await expect(expected).toMatchFileSnapshot(app(path));
});

it("[G27] no harness of the table is documented at a place that init never writes", () => {
  const around = { home: "~", folder: ".", environment: {}, platform: "linux" } as const;
  for (const row of clients)
    for (const scope of ["project", "global"] as const) {
      const places = locateClientFiles(row, scope, around).map(({ path }) => path);
      const documented = documentedClientFile(row, scope, around);
      if (documented !== undefined) expect(places).toContain(documented);
    }
});
