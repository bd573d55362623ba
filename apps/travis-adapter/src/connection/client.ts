import { isObject, type JsonObject, type ParamHeader, resultKind } from "@core/wire";
import { AdapterError, quote } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Agreed } from "./agree.ts";
import { cancelled, failureOfRequest, isEnd } from "./failure.ts";
import type { CatalogKind } from "./line.ts";

/** One live MCP client. It belongs to one generation of a connection and is never revived. */
export interface Client {
  /**
   * Sends one request, once, and resolves with the result as it came. Rejects with an {@link AdapterError}. An aborted
   * `signal` settles the call at once, tells the server, and hurts no other call.
   */
  request(method: string, params: JsonObject, options?: ClientRequest): Promise<JsonObject>;
  /** Whether the server says that it has such a list at all. */
  offers(kind: CatalogKind): boolean;
  /** Whether it repeats arguments as headers where a tool asks for that, as modern HTTP has it. */
  readonly mirrors: boolean;
  /** How often the server has said that this list of its changed, or may have said so to nobody. */
  revision(kind: CatalogKind): number;
  /** Why the client is of no more use; undefined while it is. */
  readonly lost: AdapterError | undefined;
  /** Rejects what is pending with CLOSED and ends the channel. A lost client closes itself once nothing is pending. */
  close(): Promise<void>;
  /** Resolves when the channel has ended. */
  readonly closed: Promise<void>;
}

export interface ClientRequest {
  readonly signal?: AbortSignal | undefined;
  /** Meanwhile the server asked for something that this client does not do, and was declined at once. */
  readonly onDeclined?: ((method: string) => void) | undefined;
  /** The arguments that modern HTTP repeats in headers. */
  readonly mirrored?: readonly ParamHeader[] | undefined;
}

export interface ClientOptions {
  readonly agreed: Agreed;
  /** How its messages travel. */
  readonly kind: "http" | "stdio";
  /** Milliseconds for the silence of each request. */
  readonly timeoutMs: number;
  /** Told once when the client became useless: {@link Client.lost} is set then. Not after {@link Client.close}. */
  onLost(client: Client, failure: AdapterError): void;
}

export function createClient({ agreed, kind, timeoutMs, onLost }: ClientOptions): Client {
  const { line, era, capabilities } = agreed;
  const maxTotalMs = Math.min(timeoutMs * limits.maxTimeoutExtension, limits.maxTimeoutMs);
  let isClosing = false;
  let pending = 0;
  let lost: AdapterError | undefined;

  /** The owner drops the client at once; the channel goes when the last request on it has settled. */
  function lose(failure: AdapterError): void {
    if (lost !== undefined || isClosing) return;
    lost = failure;
    onLost(client, failure);
  }

  let startClose: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    startClose = resolve;
  }).then(async () => {
    await line.close();
  });

  async function closeIfIdle(): Promise<void> {
    if (lost === undefined || pending > 0) return;
    startClose();
    await closed;
  }

  async function request(
    method: string,
    params: JsonObject,
    { signal, mirrored, onDeclined }: ClientRequest = {},
  ): Promise<JsonObject> {
    pending++;
    try {
      const options = { signal, timeoutMs, maxTotalMs, mirrored, onDeclined };
      const result = await line.request(method, params, options);
      if (era === "modern" && resultKind(result) !== "complete") throw incomplete(result);
      return result;
    } catch (error) {
      const isCancelled = signal?.aborted === true && error === signal.reason;
      const failure = isCancelled ? cancelled() : failureOfRequest(error, { method, timeoutMs });
      if (isEnd(failure)) lose(failure);
      throw failure;
    } finally {
      pending--;
      void closeIfIdle();
    }
  }

  const notifications = era === "modern" ? changesToldOf(capabilities) : {};
  let isListening = false;
  /** How often a change may have been missed, because nobody listened. */
  let gaps = 0;

  /** A modern server tells of changes only to those who listen, for as long as it likes. */
  function listen(): void {
    if (isListening || isClosing || Object.keys(notifications).length === 0) return;
    isListening = true;
    gaps++;
    const stop = () => {
      isListening = false;
    };
    line.request("subscriptions/listen", { notifications }, {}).then(stop, stop);
  }

  const client: Client = {
    request,
    offers: (list) => isObject(capabilities[list]),
    mirrors: era === "modern" && kind === "http",
    revision(list) {
      listen();
      return line.revision(list) + gaps;
    },
    get lost() {
      return lost;
    },
    closed,
    async close() {
      isClosing = true;
      startClose();
      await closed;
    },
  };
  void line.ended.then(lose).then(closeIfIdle);
  listen();
  return client;
}

const CATALOGS = ["tools", "resources", "prompts"] as const satisfies readonly CatalogKind[];

/** The changes that a server says it tells of, as the filter of a subscription names them. */
function changesToldOf(capabilities: JsonObject): Record<string, true> {
  const told = CATALOGS.filter((kind) => {
    const capability = capabilities[kind];
    return isObject(capability) && capability.listChanged === true;
  });
  return Object.fromEntries(told.map((kind) => [`${kind}ListChanged`, true]));
}

/** A server that needs more input to answer is declined by not being asked again (MCP 2026-07-28, multi round-trip). */
function incomplete(result: JsonObject): AdapterError {
  if (resultKind(result) === "unknown")
    return new AdapterError("SERVER_ERROR", "The server sent a result of a kind that nobody knows");
  const requests = isObject(result.inputRequests) ? Object.values(result.inputRequests) : [];
  const methods = requests.flatMap((asked) =>
    isObject(asked) && typeof asked.method === "string" ? [quote(asked.method)] : [],
  );
  const what = methods.length === 0 ? "more input" : [...new Set(methods)].slice(0, 3).join(", ");
  return new AdapterError(
    "INPUT_REQUIRED",
    `The server asks for ${what} before it answers, which this client does not do; it was declined and the request is not complete`,
  );
}
