import { resolve } from "node:path";
import { baseEnvironment, type ChildExit, createStdioTransport } from "@core/wire";
import { limits } from "../limits.ts";
import type { Channel } from "./channel.ts";
import type { Environment, ResolvedStdio } from "./resolve.ts";
import type { Secrets } from "./secrets.ts";

/** What a server's process gets of its surroundings. */
export interface StdioSurroundings {
  /** A relative `cwd` of the entry starts here; without one, the server runs here. */
  readonly cwd: string;
  readonly env: Environment;
  readonly secrets: Secrets;
}

/**
 * Starts a server as our child, in its own process group, with the SDK's minimal environment and the entry's. Rejects
 * with `ChildStartError`.
 */
export async function openStdio(
  server: ResolvedStdio,
  { cwd, env, secrets }: StdioSurroundings,
): Promise<Channel> {
  const transport = createStdioTransport({
    command: server.command,
    args: server.args,
    env: { ...baseEnvironment(env), ...server.env },
    cwd: resolve(cwd, server.cwd ?? "."),
    maxMessageBytes: limits.maxMessageBytes,
    scrubber: secrets,
  });
  await transport.start();
  return {
    // The process boots while the SDK loads, so the client finds a transport that has started.
    transport: Object.assign(transport, { start: async () => {} }),
    async endReport() {
      const exit = await transport.child?.exited;
      return { how: describeExit(exit), stderr: transport.child?.stderrTail() ?? "" };
    },
    close: () => transport.close(),
  };
}

function describeExit(exit: ChildExit | undefined): string {
  if (exit === undefined) return "ended";
  return exit.signal === null ? `exited with status ${exit.code}` : `was ended by ${exit.signal}`;
}
