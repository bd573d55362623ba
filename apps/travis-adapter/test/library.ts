import { pathToFileURL } from "node:url";
import { builtBin } from "test-fixtures";
import type * as Library from "../src/index.ts";

/** The library as it is published: `dist/index.js`, bundled, loaded by Node itself. */
export async function loadLibrary(): Promise<typeof Library> {
  const cli = pathToFileURL(builtBin("travis234-mcp-adapter"));
  return import(new URL("index.js", cli).href);
}
