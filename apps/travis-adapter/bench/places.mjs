import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const fixtures = fileURLToPath(new URL("../../../test-fixtures/package.json", import.meta.url));

/** The entry script of an official server from npm, as test-fixtures has it installed. */
export function officialServer(name) {
  const manifest = createRequire(realpathSync(fixtures)).resolve(`${name}/package.json`);
  return join(dirname(manifest), "dist", "index.js");
}
