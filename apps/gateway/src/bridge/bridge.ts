import type { IncomingMessage } from "node:http";
import { setTimeout as after } from "node:timers/promises";
import {
  CONNECTION_CLOSED,
  classify,
  errorAnswer,
  INVALID_REQUEST,
  idKey,
  isModernRequest,
  isObject,
  isRequestId,
  type JsonObject,
  META_KEYS,
  onOneLine,
  PARSE_ERROR,
  type ParamHeader,
  type RequestId,
  readParamHeaders,
  requestHeaders,
} from "@core/wire";
import { BRIDGE_DRAIN_MS } from "../limits.ts";
import { readMessages } from "./answer.ts";
import { type Door, isAbsent } from "./door.ts";
import { createLegacySession, SESSION_HEADER } from "./legacy-session.ts";

/** A client's side of the bridge. */
export interface Bridge extends AsyncDisposable {
  /** Takes one line of the client. Never throws. */
  receive(line: Buffer): void;
  /** Resolves when every request has its answer but those that ask for a stream of notices, which has no end. */
  idle(): Promise<void>;
  /** Lets calls in flight finish for a moment, and ends the session. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface BridgeOptions {
  readonly door: Door;
  /** Writes one message for the client; the line end is the writer's. */
  write(json: Buffer): void;
}

/** A request or a notification of the client. */
interface Call {
  readonly line: Buffer;
  readonly method: string;
  readonly params?: JsonObject;
}

/** A request that has no answer yet. */
interface Pending {
  readonly isModern: boolean;
  /** It asks for a stream of notices, which goes on until its client goes. */
  readonly isEndless: boolean;
  readonly abort: AbortController;
  isCancelled: boolean;
  /** Settles with its answer, and never rejects. */
  readonly answered: Promise<void>;
}

type Headers = Readonly<Record<string, string>>;
type Tell = (message: object) => void;
type ClientRequest = Call & { readonly id: RequestId };

const LISTEN = "subscriptions/listen";
const JSON_OR_EVENTS = { accept: "application/json, text/event-stream" };

/**
 * Joins a client that speaks stdio to a daemon that speaks Streamable HTTP, in both eras: each line is posted as the bytes
 * that it came as, and each message that comes back is one line. No request is sent twice but one that the daemon refused
 * unseen, because its session was of an earlier start.
 */
export function createBridge({ door, write }: BridgeOptions): Bridge {
  const inFlight = new Map<string, Pending>();
  /** Arguments that a modern client repeats as headers, by tool; stdio has no headers, so the bridge learns them. */
  const mirrored = new Map<string, readonly ParamHeader[]>();
  const pass = (json: Buffer) => write(onOneLine(json));
  const tell = (message: object) => write(Buffer.from(JSON.stringify(message)));
  const session = createLegacySession({
    door,
    onMessage: pass,
    onRenewed: () => tell({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }),
  });
  /** What must have arrived before the next message is sent: `initialize`, and notifications. */
  let before: Promise<unknown> = Promise.resolve();

  function receive(line: Buffer): void {
    const message = parse(line);
    const read = classify(message);
    if (message === undefined) tell(errorAnswer(null, PARSE_ERROR, "Not valid JSON"));
    else if (read.kind === "request") receiveRequest({ ...read, line });
    else if (read.kind === "notification") receiveNotification({ ...read, line });
    else if (read.kind === "batch")
      tell(errorAnswer(null, INVALID_REQUEST, "Batches are not supported"));
    else if (read.kind === "invalid")
      tell(errorAnswer(read.id ?? null, INVALID_REQUEST, read.reason));
    else before = before.then(() => void post(line, session.headers()));
  }

  function receiveRequest(request: ClientRequest): void {
    const isModern = isModernRequest(request);
    const isFirst = request.method === "initialize" && !isModern;
    const key = idKey(request.id);
    const answer = (message: object) => {
      if (!pending.isCancelled) tell(message);
    };
    const ask = () => {
      if (isFirst) return initialize(request, answer);
      return isModern ? callModern(request, pending, answer) : call(request, pending, answer);
    };
    const answered = before
      .then(ask)
      .catch((error: unknown) => answer(failure(request.id, error)))
      .then(() => void inFlight.delete(key));
    const pending: Pending = {
      ...{ isModern, isEndless: request.method === LISTEN, answered, isCancelled: false },
      abort: new AbortController(),
    };
    inFlight.set(key, pending);
    if (isFirst) before = answered;
  }

  function receiveNotification({ line, ...call }: Call): void {
    const pending = cancelledBy(call);
    if (pending !== undefined) pending.isCancelled = true;
    // On modern HTTP the end of the response is the cancellation.
    if (pending?.isModern) pending.abort.abort();
    else {
      const isModern = isModernRequest(call);
      const headers = () => (isModern ? modernHeaders(call) : session.headers());
      before = before.then(() => post(line, headers()));
    }
  }

  function cancelledBy({ method, params }: Omit<Call, "line">): Pending | undefined {
    const id = params?.requestId;
    const isCancellation = method === "notifications/cancelled" && isRequestId(id);
    return isCancellation ? inFlight.get(idKey(id)) : undefined;
  }

  async function initialize({ line, id }: ClientRequest, answer: Tell): Promise<void> {
    const opened = await session.open(line);
    if (Buffer.isBuffer(opened)) pass(opened);
    else await relay(opened, { id, method: "initialize" }, answer);
  }

  async function callModern(request: ClientRequest, { abort }: Pending, answer: Tell) {
    await relay(await postCall(request, modernHeaders(request), abort.signal), request, answer);
  }

  async function call(request: ClientRequest, { abort }: Pending, answer: Tell) {
    const headers = session.headers();
    const response = await postCall(request, headers, abort.signal);
    const isLost = response.statusCode === 404 && SESSION_HEADER in headers;
    if (!isLost || !(await session.renew(headers))) return relay(response, request, answer);
    response.resume();
    return relay(await postCall(request, session.headers(), abort.signal), request, answer);
  }

  function postCall({ line }: Call, headers: Headers, signal: AbortSignal) {
    return door({ method: "POST", body: line, signal, headers: { ...JSON_OR_EVENTS, ...headers } });
  }

  /** Hands a response over; whatever it is, the client gets one answer to its request. */
  async function relay(
    response: IncomingMessage,
    { id, method }: Pick<ClientRequest, "id" | "method">,
    answer: Tell,
  ): Promise<void> {
    const isOk = response.statusCode === 200;
    let isAnswered = false;
    await readMessages(response, (json) => {
      const message = parse(json);
      const read = classify(message);
      const isAnswer = read.kind === "response" || read.kind === "error";
      isAnswered ||= isAnswer;
      if (read.kind === "response" && method === "tools/list") learn(read.result);
      // A refusal is written before the request's id is read.
      if (read.kind === "error" && !isOk) answer({ jsonrpc: "2.0", id, error: read.error });
      else if (message !== undefined) pass(json);
    });
    if (isAnswered) return;
    const status = isOk ? "" : ` (HTTP status ${response.statusCode})`;
    answer(errorAnswer(id, CONNECTION_CLOSED, `The gateway sent no answer${status}`));
  }

  /** Sends what has no answer. What is lost then is lost on stdio too: nobody waits for it. */
  async function post(line: Buffer, headers: Headers): Promise<void> {
    try {
      const all = { ...JSON_OR_EVENTS, ...headers };
      (await door({ method: "POST", headers: all, body: line })).resume();
    } catch {
      // The next request tells that the gateway cannot be reached.
    }
  }

  function modernHeaders(call: Omit<Call, "line">): Record<string, string> {
    const meta = isObject(call.params?._meta) ? call.params._meta : {};
    const name = call.method === "tools/call" ? call.params?.name : undefined;
    const known = typeof name === "string" ? mirrored.get(name) : undefined;
    return requestHeaders(call, String(meta[META_KEYS.protocolVersion]), known);
  }

  function learn(result: unknown): void {
    const tools = isObject(result) && Array.isArray(result.tools) ? result.tools : [];
    for (const tool of tools) {
      if (!isObject(tool) || typeof tool.name !== "string") continue;
      const read = readParamHeaders(tool.inputSchema);
      mirrored.set(tool.name, read.ok ? read.headers : []);
    }
  }

  async function idle(): Promise<void> {
    const awaited = () => [...inFlight.values()].filter(({ isEndless }) => !isEndless);
    while (awaited().length > 0) await Promise.all(awaited().map(({ answered }) => answered));
  }

  return {
    receive,
    idle,
    async [Symbol.asyncDispose]() {
      await Promise.race([idle(), after(BRIDGE_DRAIN_MS, undefined, { ref: false })]);
      for (const { abort } of inFlight.values()) abort.abort();
      await session.close();
    },
  };
}

function parse(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString("utf8"));
  } catch {
    return undefined; // not JSON, which no message is
  }
}

function failure(id: RequestId, error: unknown): object {
  const reason = isAbsent(error)
    ? "The gateway does not listen: start it with wraptool serve"
    : "The connection to the gateway broke off before the answer; the request was not sent again";
  return errorAnswer(id, CONNECTION_CLOSED, reason);
}
