import { type IncomingHttpHeaders, request } from "node:http";

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
}

/** One HTTP request with exactly these headers (and a JSON content type for a body), read to its end. */
export function send(
  url: URL,
  { method, path = "/mcp", headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const type = text === undefined ? {} : { "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(path, url),
      { method: method ?? (text === undefined ? "GET" : "POST"), headers: { ...type, ...headers } },
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
              return [...whole.matchAll(/^data: (.*)$/gm)].map(([, data]) =>
                JSON.parse(data ?? ""),
              );
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

/** A JSON-RPC request as an object. */
export function rpc(id: unknown, method: string, params: object = {}): object {
  return { jsonrpc: "2.0", id, method, params };
}

/** Opens a session and returns the header that names it. */
export async function openSession(
  url: URL,
  { headers = {}, protocolVersion = "2025-06-18" } = {},
): Promise<Record<string, string>> {
  const clientInfo = { name: "raw", version: "1" };
  const answer = await send(url, {
    headers,
    body: rpc(0, "initialize", { protocolVersion, capabilities: {}, clientInfo }),
  });
  const id = answer.headers["mcp-session-id"];
  if (typeof id !== "string") throw new Error(`no session: ${answer.status} ${answer.text}`);
  return { ...headers, "mcp-session-id": id };
}
