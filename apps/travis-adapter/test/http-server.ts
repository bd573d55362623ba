import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  type EventStore,
  StreamableHTTPServerTransport,
} from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  type JSONRPCMessage,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

/** What a test may look at and change while the server runs. */
export interface HttpServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly Seen[];
  /** Resolves when `count` requests of that JSON-RPC method have come. */
  waitFor(rpc: string, count: number): Promise<void>;
  /** Forgets all sessions, as a restart does. */
  forgetSessions(): void;
}

export interface Seen {
  readonly method: string;
  /** The path that was asked for. */
  readonly url: string;
  /** The JSON-RPC method of its body. */
  readonly rpc: string | undefined;
  /** The JSON-RPC id of its body. */
  readonly id: unknown;
  readonly headers: IncomingMessage["headers"];
}

export interface HttpServerOptions {
  /** Answers a request instead of the MCP server; returns false to let it through. */
  readonly intercept?: (seen: Seen, response: ServerResponse) => boolean;
  /** Makes the MCP server of each session, in place of the one with `echo` and `wait`. */
  readonly createServer?: () => Server;
  /** Keeps what is sent on streams, so that they can be taken up again. */
  readonly eventStore?: EventStore;
}

/** A Streamable HTTP server made of the SDK's own parts, with the tools `echo` and `wait`. */
export async function startHttpServer({
  intercept,
  createServer: createMcpServer = createEchoServer,
  eventStore,
}: HttpServerOptions = {}): Promise<HttpServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const requests: Seen[] = [];
  const watchers = new Set<() => void>();

  async function openSession(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      ...(eventStore && { eventStore, retryInterval: 100 }),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await createMcpServer().connect(transport as Transport);
    return transport;
  }

  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const { method = "", url = "", headers } = request;
    const seen = { method, url, rpc: body?.method, id: body?.id, headers };
    requests.push(seen);
    for (const look of watchers) look();
    if (intercept?.(seen, response)) return;
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : await openSession();
    if (known) await known.handleRequest(request, response, body);
    else response.writeHead(404).end("no such session");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    requests,
    waitFor: (rpc, count) =>
      new Promise((resolve) => {
        const look = () => {
          if (requests.filter((request) => request.rpc === rpc).length < count) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
    forgetSessions: () => sessions.clear(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function createEchoServer(): Server {
  const server = new Server({ name: "http-echo", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: ["echo", "wait"].map((name) => ({ name, inputSchema: { type: "object" as const } })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    params.name === "wait"
      ? new Promise<never>(() => {})
      : { content: [{ type: "text", text: JSON.stringify(params.arguments ?? {}) }] },
  );
  return server;
}

/** Events in their order, each under its number. */
export function createEventStore(): EventStore {
  const events: { readonly stream: string; readonly message: JSONRPCMessage }[] = [];
  return {
    storeEvent: async (stream, message) => String(events.push({ stream, message }) - 1),
    async replayEventsAfter(last, { send }) {
      const stream = events[Number(last)]?.stream ?? "";
      for (const [id, event] of events.entries())
        if (id > Number(last) && event.stream === stream) await send(String(id), event.message);
      return stream;
    },
  };
}

async function readBody(
  request: IncomingMessage,
): Promise<{ method?: string; id?: unknown } | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
}
