import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../src/index.ts";

/** The words of the fenced list that docs/architecture.md opens with "```rooms NAME" (or "```sdk-values"). */
export function fencedList(name: string): string[] {
  const page = readFileSync(join(repository, "docs", "architecture.md"), "utf8");
  const fence = page.match(new RegExp(`^\`\`\`${name}\\n([\\s\\S]*?)^\`\`\``, "m"));
  if (!fence) throw new Error(`docs/architecture.md has no list "${name}"`);
  return (fence[1] as string).split(/\s+/).filter((word) => word !== "");
}
