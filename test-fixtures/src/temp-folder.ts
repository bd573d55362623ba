import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of one test's own; `await using` removes it with everything in it. The path has no links in it. */
export interface TempFolder extends AsyncDisposable {
  readonly path: string;
}

/** Makes an empty folder of mode 0700 under the system's temporary folder. */
export function createTempFolder(): TempFolder {
  const path = mkdtempSync(join(realpathSync(tmpdir()), "bounded-mcp-test-"));
  return {
    path,
    [Symbol.asyncDispose]: async () => rmSync(path, { recursive: true, force: true }),
  };
}
