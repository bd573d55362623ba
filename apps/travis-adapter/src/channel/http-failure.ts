import { cutBytes, cutText } from "@core/bounds";
import { isObject, RpcError } from "@core/wire";
import { AdapterError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Fetch } from "./network.ts";

/** Causes with which a request certainly never reached the server. */
const NEVER_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|ENETUNREACH|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|UNABLE_TO_\w+|ERR_SSL_\w+)$/;

/** What a failed TLS handshake means to whoever configures the server; the first that fits. */
const TLS_CAUSES: readonly (readonly [RegExp, string])[] = [
  [/^CERT_HAS_EXPIRED$/, "its certificate has expired"],
  [/^CERT_NOT_YET_VALID$/, "its certificate is not valid yet; check this machine's clock"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "its certificate is for another host name"],
  [
    /^ERR_SSL_/,
    "it does not speak TLS as it should; check whether the address is to begin with http:",
  ],
  [
    /^(CERT_|ERR_TLS_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/,
    "its certificate is not trusted: NODE_EXTRA_CA_CERTS can name a file with the right authority",
  ],
];

/** What a `fetch` that rejected, or a body that broke off, comes to. Shows the system's code and nothing else of the cause. */
export function failureOfFetch(error: unknown): AdapterError {
  if (error instanceof AdapterError) return error;
  const code = codeOf(error);
  const shown = code === undefined ? "" : ` (${code})`;
  if (code === undefined || !NEVER_SENT.test(code))
    return new AdapterError("CONNECTION_LOST", `The connection broke${shown}`, { cause: error });
  const cause = TLS_CAUSES.find(([codes]) => codes.test(code))?.[1];
  return new AdapterError(
    "CONNECT_FAILED",
    `The server could not be reached${shown}, so nothing was sent; ${cause ?? "check the address and that the server runs"}`,
    { cause: error },
  );
}

function codeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === "string" && /^[A-Z0-9_]{1,64}$/.test(code)) return code;
  }
  return undefined;
}

/** Why the answer to a POST is a refusal: the server's own error where it has one; undefined if it is none. */
export async function refusalOf(
  response: Response,
  url: string | URL,
  init: RequestInit,
  fetch: Fetch,
): Promise<AdapterError | RpcError | undefined> {
  const { status } = response;
  if (response.ok) return undefined;
  const headers = new Headers(init.headers);
  const hasSession = headers.has("mcp-session-id");
  const error = errorIn(parse(await startOf(response, limits.maxErrorBytes)));
  const said = error === undefined ? {} : { serverSaid: error.message };
  if (status === 401 || status === 403) return unauthorized(status, said);
  if (hasSession && (status === 404 || status === 410 || isUninitialized(status, said)))
    return new AdapterError(
      "SESSION_GONE",
      "The server no longer knows this session; the request was refused and not sent again, and the next one opens a fresh session",
    );
  const mayBeSse = !hasSession && error === undefined && [400, 404, 405].includes(status);
  if (mayBeSse && (await speaksLegacySse(url, headers, fetch)))
    return new AdapterError(
      "CONNECT_FAILED",
      "The address speaks only the legacy SSE transport, which is not supported; ask for its Streamable HTTP address, often the same one ending in /mcp",
    );
  if (error !== undefined && (status === 400 || status === 404))
    return new RpcError(error.code, error.message);
  return new AdapterError("SERVER_ERROR", `The server answered with HTTP status ${status}`, said);
}

function unauthorized(status: number, said: { serverSaid?: string }): AdapterError {
  const wanted = status === 401 ? "wants credentials" : "does not allow this with the credentials";
  return new AdapterError(
    "UNAUTHORIZED",
    `The server ${wanted} (HTTP ${status}). OAuth is not supported; give a token through a header reference, as in "headers": {"Authorization": "Bearer $env:NAME"}`,
    said,
  );
}

/** Some servers forget a session and say so with 400 and a JSON-RPC error (seen after restarts). */
function isUninitialized(status: number, { serverSaid = "" }: { serverSaid?: string }): boolean {
  return status === 400 && /not initialized|no valid session|session not found/i.test(serverSaid);
}

/** The JSON-RPC error in a body, its message bounded; a body of another kind is not shown. */
function errorIn(body: unknown): { code: number; message: string } | undefined {
  const error = isObject(body) ? body.error : undefined;
  if (!isObject(error) || typeof error.message !== "string" || !Number.isSafeInteger(error.code))
    return undefined;
  const { text } = cutText(error.message, { maxBytes: limits.maxServerMessageBytes });
  return { code: error.code as number, message: text };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a page of HTML, or longer than an error should be
  }
}

async function startOf(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxBytes) break;
  }
  return Buffer.from(cutBytes(Buffer.concat(chunks), maxBytes)).toString("utf8");
}

/** The older HTTP+SSE transport answers a GET with a stream whose first event is named `endpoint`. */
async function speaksLegacySse(url: string | URL, posted: Headers, fetch: Fetch): Promise<boolean> {
  const headers = new Headers(posted);
  headers.delete("content-type");
  headers.set("accept", "text/event-stream");
  try {
    const signal = AbortSignal.timeout(limits.maxSessionEndMs);
    const response = await fetch(url, { headers, redirect: "manual", signal });
    const isStream = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
    if (response.ok && isStream) return /^event: ?endpoint/m.test(await startOf(response, 16));
    await response.body?.cancel();
    return false;
  } catch {
    return false; // whatever it speaks, it is not that
  }
}
