import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  builtBin,
  createTempFolder,
  type DaemonConfig,
  fixtureServer,
  type RunningProcess,
  startDaemon,
} from "test-fixtures";

export const bin = builtBin("wraptool");

/** A server entry that runs one of the shared fixture servers and allows some of its tools. */
export function fixture(name: string, tools: readonly string[], more: object = {}): object {
  return script(fixtureServer(name), tools, more);
}

export function script(path: string, tools: readonly string[], more: object = {}): object {
  return {
    command: process.execPath,
    args: [path],
    allow: tools.map((tool) => ({ tool })),
    ...more,
  };
}

/** The built gateway, serving a configuration from a folder of its own. */
export interface GatewayProcess extends AsyncDisposable {
  readonly url: URL;
  /** The socket's path, where it serves one. */
  readonly socket: string;
  readonly folder: string;
  readonly process: RunningProcess;
  /** All that the gateway has printed so far. */
  printed(): string;
  /** The configuration file. */
  readonly file: string;
  /** A client of the v1 SDK that is connected; closed with the gateway. */
  connect(headers?: Record<string, string>, options?: ConnectOptions): Promise<Client>;
}

interface ConnectOptions {
  /** The folder of `?cwd=`. */
  readonly cwd?: string;
  /** Called with what the client is asked to sample. It declares the capability only if this is given. */
  readonly onSample?: (params: unknown) => void | Promise<void>;
}

/** Starts the gateway on a free port and waits until it listens. */
export async function startGateway(
  config: DaemonConfig,
  env: NodeJS.ProcessEnv = {},
): Promise<GatewayProcess> {
  const folder = createTempFolder();
  const daemon = await startDaemon(config, { folder: folder.path, env }).catch(async (error) => {
    await folder[Symbol.asyncDispose]();
    throw error;
  });
  const { url, socket, file, process: running } = daemon;
  const clients: Client[] = [];
  return {
    url,
    socket,
    folder: folder.path,
    file,
    process: running,
    printed: () => Object.values(running.printed()).join("\n"),
    async connect(headers = {}, { cwd, onSample } = {}) {
      const capabilities = onSample ? { sampling: {} } : {};
      const client = new Client({ name: "test", version: "1" }, { capabilities });
      if (onSample)
        client.fallbackRequestHandler = async ({ params }) => {
          await onSample(params);
          return { content: { type: "text", text: "the client's words" } };
        };
      const at = new URL(url);
      if (cwd !== undefined) at.searchParams.set("cwd", cwd);
      const transport = new StreamableHTTPClientTransport(at, { requestInit: { headers } });
      // The SDK's own types differ under exactOptionalPropertyTypes.
      await client.connect(transport as Parameters<Client["connect"]>[0]);
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.close()));
      running.child.kill("SIGTERM");
      await running.exited;
      await running[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The text of a tool result's first block. */
export function textOf(result: unknown): string | undefined {
  const { content } = result as { content?: { text?: string }[] };
  return content?.[0]?.text;
}
