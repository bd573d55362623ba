import { setTimeout as after } from "node:timers/promises";
import type { Scrubber } from "@core/config";
import type { ServerConfig } from "../config/config.ts";
import { UpstreamError } from "../errors.ts";
import { CONTAINER_GRACE_MS } from "../limits.ts";
import { ASKABLE_CAPABILITIES, ROOTS_LIST } from "./askable.ts";
import type { ClientSession } from "./client-session.ts";
import type { Connection, ConnectionOptions, ServerProcess } from "./connection.ts";
import { type Container, createContainer } from "./container.ts";
import { createOpenInEra } from "./era.ts";
import type { FromServer } from "./request.ts";
import { rootsOf } from "./roots.ts";
import type { ConnectionEvents } from "./upstream.ts";

export interface OpenOptions {
  readonly server: ServerConfig;
  /** Milliseconds for a start, if a reload may have changed those of the entry. */
  initTimeoutMs?(): number;
  readonly variables: Readonly<Record<string, string>>;
  readonly maxMessageBytes: number;
  readonly clientInfo: ConnectionOptions["clientInfo"];
  /** Puts each process group on record, for the case that the gateway is killed. */
  remember?(leader: number): () => void;
  /** Keeps secrets out of the server's last words. */
  readonly scrubber: Pick<Scrubber, "stream">;
  /** What the server asks of clients and tells them; `owner` is the session that it runs for. */
  onRequest(request: FromServer<"request">, owner: ClientSession | undefined): void;
  onNotification(notification: FromServer<"notification">, owner: ClientSession | undefined): void;
}

/** Starts a server as it is configured, for one session or for all. */
export function createOpen(options: OpenOptions) {
  const { server, variables, maxMessageBytes, clientInfo, scrubber } = options;
  const { initTimeoutMs = () => server.initTimeoutMs } = options;
  const openInEra = createOpenInEra();
  return async (
    events: ConnectionEvents,
    session: ClientSession | undefined,
  ): Promise<Connection> => {
    const folder = server.worksInSession ? await folderOf(server.name, session) : server.workingDir;
    const container = await createContainer(server.command, server.args, variables);
    const onProcess = (process: ServerProcess) =>
      events.onProcess(container ? withContainer(process, container) : process);
    try {
      const settings: ConnectionOptions = {
        name: server.name,
        child: {
          command: server.command,
          args: container?.args ?? server.args,
          cwd: folder,
          env: variables,
          maxMessageBytes,
          scrubber,
        },
        initTimeoutMs: initTimeoutMs(),
        clientInfo,
        capabilities: capabilitiesFor(server, session),
        ...events,
        ...(options.remember && { remember: options.remember }),
        onProcess,
        onRequest(request) {
          if (server.tellsRoots && request.message.method === ROOTS_LIST)
            tellRoots(request, session);
          else options.onRequest(request, session);
        },
        onNotification: (notification) => options.onNotification(notification, session),
      };
      const connection = await openInEra(settings);
      connection.ended.then(() => container?.stop());
      return connection;
    } catch (error) {
      await container?.stop();
      throw error;
    }
  };
}

/** The session's folder, which may have moved since the session was opened. */
async function folderOf(name: string, session: ClientSession | undefined): Promise<string> {
  const cwd = session?.cwd;
  if (cwd === undefined)
    throw new UpstreamError(
      "UNAVAILABLE",
      `Server ${name} works in the client's folder: connect with ?cwd= in the URL`,
    );
  if (!(await cwd.isStillAllowed()))
    throw new UpstreamError("UNAVAILABLE", `The folder of ?cwd= is not allowed any more`);
  return cwd.path;
}

/** A process for all sessions may ask for everything: which client can answer shows only when it asks. */
function capabilitiesFor(
  { isolation, tellsRoots }: ServerConfig,
  session?: ClientSession,
): Readonly<Record<string, object>> {
  const isForAll =
    isolation === "shared" || session === undefined || session.declaresPerRequest === true;
  const asked = ASKABLE_CAPABILITIES.filter((name) => isForAll || session.capabilities.has(name));
  const names = tellsRoots ? [...asked, "roots"] : asked;
  return Object.fromEntries(names.map((name) => [name, {}]));
}

async function tellRoots(
  { message, answer }: FromServer<"request">,
  session: ClientSession | undefined,
): Promise<void> {
  const result = await rootsOf(session);
  answer(Buffer.from(`{"jsonrpc":"2.0","id":${message.idText},"result":${result}}`));
}

/** The container gets the time to end by itself, as a process does, and is stopped by its id then. */
function withContainer(process: ServerProcess, container: Container): ServerProcess {
  return {
    kill: process.kill,
    async stop() {
      const stopping = process.stop();
      const timer = new AbortController();
      await Promise.race([
        stopping,
        after(CONTAINER_GRACE_MS, undefined, { signal: timer.signal }).catch(() => {}),
      ]);
      timer.abort();
      await container.stop();
      return stopping;
    },
  };
}
