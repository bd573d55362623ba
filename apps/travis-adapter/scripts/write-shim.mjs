// Writes the tool's definition into the Python extension, from the built library: `node scripts/write-shim.mjs` in this
// package, after a build, whenever the tool's name, texts or schema change. A test says when it is due.
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createAdapter } from "../dist/index.js";

const file = new URL("../extensions/travis234_mcp_adapter.py", import.meta.url);
const BLOCK = /(_TOOL = json\.loads\(r"""\n)[\s\S]*?(\n"""\))/;

const adapter = await createAdapter({ cwd: tmpdir(), home: tmpdir(), env: {} });
const definition = JSON.stringify(adapter.tool, null, 2);
if (definition.includes('"""')) throw new Error("The definition would end Python's raw text");
const shim = readFileSync(file, "utf8");
if (!BLOCK.test(shim)) throw new Error("The extension has no place for the definition");
writeFileSync(
  file,
  shim.replace(BLOCK, (_, start, end) => start + definition + end),
);
await adapter[Symbol.asyncDispose]();
