import { type Agent, type IncomingHttpHeaders, type RequestOptions, request } from "node:http";

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON, or the data of each event. */
  readonly json: unknown;
  readonly events: readonly unknown[];
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | object;
  /** Keeps connections for many requests; without it each has a connection of its own. */
  readonly agent?: Agent;
}

/** Where a gateway listens: a URL, or the path of a socket. */
export type Door = URL | string;

/** How node:http reaches a path behind a door. */
function targetOf(door: Door, path: string, agent: Agent | false = false): RequestOptions {
  if (typeof door === "string") return { socketPath: door, path, agent };
  const { hostname, port } = door;
  return { hostname, port, path, agent };
}

/** One HTTP request with exactly these headers (and a JSON content type for a body), read to its end. */
export function send(
  door: Door,
  { method, path = "/mcp", headers = {}, body, agent }: RawRequest,
): Promise<RawAnswer> {
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const type = text === undefined ? {} : { "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...targetOf(door, path, agent),
        method: method ?? (text === undefined ? "GET" : "POST"),
        headers: { ...type, ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const whole = Buffer.concat(chunks).toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: whole,
            get json() {
              return JSON.parse(whole);
            },
            get events() {
              return dataIn(whole).map((data) => JSON.parse(data));
            },
          });
        });
        response.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end(text);
  });
}

/** The data of the events of a stream. Only LF ends a line there; a pattern would also end it at U+2028. */
function dataIn(stream: string): string[] {
  const lines = stream.split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => line.slice("data: ".length));
}

/** A JSON-RPC request as an object. */
export function rpc(id: unknown, method: string, params: object = {}): object {
  return { jsonrpc: "2.0", id, method, params };
}

/** Opens a session and returns the header that names it. */
export async function openSession(
  door: Door,
  {
    headers = {},
    protocolVersion = "2025-06-18",
    path = "/mcp",
    agent,
  }: Pick<RawRequest, "headers" | "path" | "agent"> & { readonly protocolVersion?: string } = {},
): Promise<Record<string, string>> {
  const clientInfo = { name: "raw", version: "1" };
  const answer = await send(door, {
    headers,
    path,
    ...(agent && { agent }),
    body: rpc(0, "initialize", { protocolVersion, capabilities: {}, clientInfo }),
  });
  const id = answer.headers["mcp-session-id"];
  if (typeof id !== "string") throw new Error(`no session: ${answer.status} ${answer.text}`);
  return { ...headers, "mcp-session-id": id };
}

const META = "io.modelcontextprotocol";

/** A request of revision 2026-07-28 with the headers that it must have. */
export function modern(id: unknown, method: string, params: Record<string, unknown> = {}) {
  const { _meta, name, ...rest } = params;
  const meta = {
    [`${META}/protocolVersion`]: "2026-07-28",
    [`${META}/clientCapabilities`]: {},
    [`${META}/clientInfo`]: { name: "raw", version: "1" },
    ...(_meta as object),
  };
  const named = name === undefined ? {} : { name };
  return {
    headers: {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name === undefined ? {} : { "mcp-name": String(name) }),
    } as Record<string, string>,
    body: rpc(id, method, { ...rest, ...named, _meta: meta }),
  };
}

export interface Stream extends Disposable {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** What came so far. */
  text(): string;
  /** The data of the events that came so far. */
  data(): string[];
  /** Resolves when more has come, or the end. */
  next(): Promise<void>;
  readonly ended: Promise<void>;
}

/** A request whose response stays open. Disposing it closes the connection. */
export function openStream(
  door: Door,
  { method, path = "/mcp", headers = {}, body }: RawRequest,
): Promise<Stream> {
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const type = text === undefined ? {} : { "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...targetOf(door, path),
        method: method ?? (text === undefined ? "GET" : "POST"),
        headers: { accept: "text/event-stream", ...type, ...headers },
      },
      (response) => {
        let received = "";
        response.on("data", (chunk: Buffer) => {
          received += chunk.toString();
        });
        const once = (event: string) => new Promise<void>((seen) => response.once(event, seen));
        const ended = once("close");
        // A stream that is cut ends with an error, which is an end like any other here.
        response.on("error", () => {});
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: () => received,
          data: () => dataIn(received),
          next: () => Promise.race([once("data"), ended]),
          ended,
          [Symbol.dispose]: () => void sent.destroy(),
        });
      },
    );
    sent.on("error", reject);
    sent.end(text);
  });
}
