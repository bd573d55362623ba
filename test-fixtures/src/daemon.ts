import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtBin } from "./places.ts";
import { type RunningProcess, startProcess } from "./process.ts";

/** What the gateway's configuration file says. */
export interface DaemonConfig {
  readonly server?: { readonly transport?: string | string[] } & Record<string, unknown>;
  readonly mcp?: object;
  readonly mcp_servers?: object;
  readonly audit?: object;
  readonly log?: object;
}

export interface DaemonOptions {
  /** Its home: the configuration, the state, the socket, and in `tmp` what it keeps for a while. */
  readonly folder: string;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Flags of Node itself. */
  readonly nodeFlags?: readonly string[] | undefined;
  /** A command in front of it, such as one that sets limits. */
  readonly under?: readonly string[] | undefined;
  /** Gives it a channel for messages. */
  readonly channel?: boolean | undefined;
}

/** The built gateway, serving. */
export interface Daemon extends AsyncDisposable {
  /** Of its TCP listener, where it has one. */
  readonly url: URL;
  /** The path of its socket, where it serves one. */
  readonly socket: string;
  readonly file: string;
  readonly temporary: string;
  readonly process: RunningProcess;
  /** Ends it as an administrator would, and waits until it is gone. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** The same configuration once more, in a new process. */
  restart(): Promise<Daemon>;
}

/** Writes the configuration, starts the gateway on a free port, and waits until it listens everywhere. */
export async function startDaemon(config: DaemonConfig, options: DaemonOptions): Promise<Daemon> {
  const { folder } = options;
  const file = join(folder, "gateway.yaml");
  const socket = join(folder, "run", "s");
  const temporary = join(folder, "tmp");
  mkdirSync(temporary, { recursive: true });
  // JSON is YAML.
  writeFileSync(
    file,
    JSON.stringify({ ...config, server: { listen: "127.0.0.1:0", socket, ...config.server } }),
  );
  const transports = [config.server?.transport ?? "sse"].flat();

  async function start(): Promise<Daemon> {
    const args = [...(options.nodeFlags ?? []), builtBin("wraptool"), "serve", "--config", file];
    const [command = "", ...before] = [...(options.under ?? []), process.execPath];
    const env = { ...process.env, HOME: folder, TMPDIR: temporary, NO_COLOR: "1", ...options.env };
    const { channel } = options;
    const running = startProcess(command, [...before, ...args], { env, channel });
    const listening = /listening on (http:\S+)/;
    const [, address] = transports.includes("sse")
      ? await running.waitFor(listening, "stderr")
      : [];
    if (transports.includes("unix")) await running.waitFor(/listening on \/\S+/, "stderr");
    return {
      url: new URL(address ?? "http://nowhere.invalid"),
      socket,
      file,
      temporary,
      process: running,
      async stop(signal = "SIGTERM") {
        running.child.kill(signal);
        const { status } = await running.exited;
        return status;
      },
      restart: start,
      [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
    };
  }
  return start();
}
