import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "test-fixtures";
import { expect, it } from "vitest";

const page = readFileSync(
  join(repository, "apps", "gateway", "docs", "troubleshooting.md"),
  "utf8",
);
const sources = ["apps/gateway/src", "packages"]
  .flatMap((folder) => {
    const root = join(repository, folder);
    const files = readdirSync(root, { recursive: true, encoding: "utf8" });
    return files
      .filter((file) => /(?<!test)\.ts$/.test(file) && !file.includes("node_modules"))
      .map((file) => join(root, file));
  })
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

/** Messages that the page quotes as what people see, in the parts between what differs from one to the next. */
const quoted = [...page.matchAll(/^\| ([^|]*) \|/gm)]
  .flatMap(([, seen = ""]) => [...seen.matchAll(/`([^`]+)`/g)])
  .map(([, message = ""]) => message)
  .flatMap((message) => message.split(/FILE:\S+ \S+ |"\S+"\??|\bNAME\b|\b\d+(?: ms)?\b|…/))
  .map((part) => part.trim())
  .filter((part) => part.length > 3);

it.each(quoted)("[G27] the page on troubleshooting quotes what a program says: %s", (part) => {
  expect(sources.includes(part)).toBe(true);
});
