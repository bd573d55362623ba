import { join } from "node:path";
import { installPackage } from "./install.ts";

/**
 * The script of the MCP Inspector, whose `--cli` mode is a real client. It stays out of the lockfile, because it asks
 * for a newer Node than this project does (though `--cli` works on Node 20).
 */
export async function installInspector(): Promise<string> {
  const modules = await installPackage("@modelcontextprotocol/inspector", "2.12.0");
  return join(modules, ".bin", "mcp-inspector");
}
