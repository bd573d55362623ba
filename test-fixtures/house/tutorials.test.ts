import { createServer } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { createTempFolder } from "../src/index.ts";
import { blocksOf, createNewcomer, pageOf, withoutInstall } from "./newcomer.ts";
import { apps } from "./tarball.ts";

const place = createTempFolder();
afterAll(() => place[Symbol.asyncDispose]());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

/** The lines that a page shows as output and that did not come, each behind the one before; `…` stands for anything. */
function missing(expected: string, output: string): string[] {
  let rest = output.split("\n");
  return expected
    .split("\n")
    .filter((line) => line !== "")
    .filter((line) => {
      const parts = line.split("…").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      const at = rest.findIndex((printed) => new RegExp(`^${parts.join(".*")}$`).test(printed));
      if (at !== -1) rest = rest.slice(at + 1);
      return at === -1;
    });
}

describe("the tutorials, from the tarballs", { timeout: 180_000 }, () => {
  it.each(apps)("[W4] $name: every command does what the page shows", async (app) => {
    const { shell } = await createNewcomer(app, place.path);
    const port = await freePort();
    const blocks = blocksOf(pageOf(app, "docs/tutorial.md"));
    const script = blocks.filter(({ language }) => language === "sh").map(({ code }) => code);
    const shown = blocks.filter(({ language }) => language === "text").map(({ code }) => code);
    const ran = await shell(withoutInstall(script.join("")).replaceAll("8717", String(port)));
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    expect(missing(shown.join(""), ran.stdout + ran.stderr), ran.stdout + ran.stderr).toEqual([]);
  });
});
