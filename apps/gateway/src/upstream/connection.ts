import {
  type Child,
  type ChildExit,
  type ChildOptions,
  identifyOversize,
  membersOf,
  type Oversize,
  readEnvelope,
  resultKind,
  startChild,
  stringAt,
} from "@core/wire";
import { LAST_WORDS, UpstreamError } from "../errors.ts";
import { MAX_QUOTED_CHARACTERS, MAX_TIMEOUT_RESETS, SINGLE_WRITE_BYTES } from "../limits.ts";
import { type Answer, badAnswer, type Of } from "./answer.ts";
import type { ClientSession } from "./client-session.ts";
import { createWithEnvelope, type Declared } from "./envelope.ts";
import { type Era, shakeHands } from "./handshake.ts";
import { changedList, type ListKind } from "./list-kind.ts";
import { RESOURCE_UPDATED, type ResourceUpdate, readUpdate } from "./resource-update.ts";
import {
  createListenedUpdates,
  createSessionUpdates,
  NO_UPDATES,
  type ResourceUpdates,
} from "./resource-updates.ts";
import { createSlots } from "./slots.ts";

const OPEN_OBJECT = 0x7b;

/** A request on its way to a server. */
export interface OutgoingRequest {
  /** The whole message under the id that the connection gives it. */
  build(id: number): Buffer;
  /** Milliseconds without an answer or progress. */
  readonly timeoutMs: number;
  onProgress?(bytes: Buffer, message: Of<"notification">): void;
  /** What a modern server is to hear of the client with the request. */
  declare?(): Declared;
  /** Whose request it is, and how that client gets what belongs to the request; undefined for the gateway's own. */
  readonly client?: RequestClient;
}

export interface RequestClient {
  readonly session: ClientSession;
  /** The level that a modern request asks log messages from; an older client sets one for its session. */
  readonly logLevel?: { readonly asked: string | undefined };
  /** Sends what belongs to the request; false if its client cannot be told before the answer. */
  tell(json: Buffer): boolean;
  /** Asks the client of a modern request by its answer; false if it has not declared the capability. */
  ask?: ((question: FromServer<"request">, capability: string) => boolean) | undefined;
  /** Takes back what a server asked under this id. */
  unask?: ((idText: string) => void) | undefined;
}

/** What a server asks of a client, or tells it. */
export interface FromServer<K extends "request" | "notification"> {
  readonly bytes: Buffer;
  readonly message: Of<K>;
  /** The clients whose requests wait for this server. */
  readonly waiting: readonly RequestClient[];
  /** Sends the server a whole message. */
  answer(json: Buffer): void;
  /**
   * The call of this client waits for the client itself now, and has all the time that a call may take; until what is
   * returned is run, when the server works on it again.
   */
  pause(client: RequestClient): () => void;
}

export interface PendingRequest {
  /** Rejects with UpstreamError. */
  readonly answer: Promise<Answer>;
  /** Tells the server, and rejects the answer with CANCELLED. */
  cancel(): void;
}

/** One running server after its handshake. */
export interface Connection {
  readonly era: Era;
  /** Whether the server says that it tells of changes of single resources. */
  readonly subscribes: boolean;
  readonly updates: ResourceUpdates;
  request(request: OutgoingRequest): PendingRequest;
  /** Settles with a sentence about the end when the server ends, asked to or not. */
  readonly ended: Promise<string>;
}

/** The process of a server, from its first moment. */
export type ServerProcess = Pick<Child, "stop" | "kill">;

export interface ConnectionOptions {
  /** The server's name in sentences. */
  readonly name: string;
  readonly child: Omit<ChildOptions, "onLine" | "onOversize" | "onNoise">;
  readonly initTimeoutMs: number;
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** What the server may ask its client for. */
  readonly capabilities: Readonly<Record<string, object>>;
  /** Puts the server's process group on record, until what it returns is called. */
  remember?(leader: number): () => void;
  /** The server's process exists, though it may take long to be ready. */
  onProcess(process: ServerProcess): void;
  /** The server says that a list of its has changed. */
  onListChanged(kind: ListKind): void;
  /** The server says that a resource has changed. */
  onUpdated(update: ResourceUpdate): void;
  /** The server asks for something else than a sign of life. */
  onRequest(request: FromServer<"request">): void;
  /** The server tells something that is neither progress nor about its lists or resources. */
  onNotification(notification: FromServer<"notification">): void;
}

interface Waiting {
  readonly request: OutgoingRequest;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: UpstreamError) => void;
  readonly startedAt: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Starts a server and shakes hands with it, in the words of `first`. Rejects with UpstreamError or ChildStartError; then
 * nothing is left running.
 */
export async function openConnection(
  options: ConnectionOptions,
  first: Era = "legacy",
): Promise<Connection> {
  const { name, initTimeoutMs, clientInfo } = options;
  const tellsRoots = options.capabilities.roots !== undefined;
  const withEnvelope = createWithEnvelope(clientInfo, { tellsRoots });
  let era: Era = "legacy";
  const waiting = createSlots<Waiting>();
  let whyEnded: UpstreamError | undefined;
  let isReady = false;
  const listened = createListenedUpdates({
    name,
    sendRequest: (message) => sendBytes(withEnvelope(Buffer.from(JSON.stringify(message)))),
    sendNotification: send,
  });

  const child = await startChild({
    ...options.child,
    onLine: receive,
    onOversize: failOversize,
  });
  const forget = options.remember?.(child.pid);
  if (forget !== undefined) void child.exited.then(child.stop).then(forget);
  options.onProcess(child);
  const ended = child.exited.then((exit) => {
    const sentence = `Server ${name} ${describeEnd(exit, isReady, child.stderrTail())}`;
    whyEnded = new UpstreamError(isReady ? "ENDED" : "START_FAILED", sentence);
    for (const [id] of waiting.entries()) take(id)?.reject(whyEnded);
    listened.fail(whyEnded);
    return sentence;
  });

  function send(message: object): void {
    sendBytes(Buffer.from(JSON.stringify(message)));
  }
  function sendBytes(bytes: Buffer): void {
    const message = bytes.length <= SINGLE_WRITE_BYTES ? bytes.toString("utf8") : bytes;
    child.send(message).catch(() => {
      // The child is gone, and its end fails every request that waits.
    });
  }

  /** Removes a waiting request: whatever comes for it afterwards is dropped. */
  function take(id: number): Waiting | undefined {
    const found = waiting.take(id);
    clearTimeout(found?.timer);
    return found;
  }

  function giveUp(id: number, error: UpstreamError): void {
    const found = take(id);
    if (found === undefined) return;
    // The specification forbids to cancel initialize, which is the only request before that.
    if (isReady) {
      const params = { requestId: id, reason: error.code };
      send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    }
    found.reject(error);
  }

  function startTimer(id: number, ms: number, timeoutMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      const sentence = `Server ${name} did not answer within ${timeoutMs} ms`;
      giveUp(id, new UpstreamError("TIMEOUT", sentence));
    }, ms);
  }

  function request(outgoing: OutgoingRequest): PendingRequest {
    let id = 0;
    const answer = new Promise<Answer>((resolve, reject) => {
      if (whyEnded !== undefined) return reject(whyEnded);
      const { timeoutMs } = outgoing;
      const entry: Waiting = {
        request: outgoing,
        resolve,
        reject,
        startedAt: performance.now(),
        timer: undefined,
      };
      id = waiting.add(entry);
      entry.timer = startTimer(id, timeoutMs, timeoutMs);
      const bytes = outgoing.build(id);
      sendBytes(era === "modern" ? withEnvelope(bytes, outgoing.declare?.()) : bytes);
    });
    const cancel = () => giveUp(id, new UpstreamError("CANCELLED", "The call was cancelled"));
    return { answer, cancel };
  }

  function receive(bytes: Buffer): boolean {
    const message = readEnvelope(bytes);
    switch (message.kind) {
      case "response":
      case "error":
        if (typeof message.id === "number") settle(message.id, { bytes, message });
        else if (typeof message.id === "string")
          listened.answered(
            message.id,
            message.kind === "error" ? errorIn({ bytes, message }) : undefined,
          );
        return true;
      case "notification":
        receiveNotification(bytes, message);
        return true;
      case "request":
        answerServer(bytes, message);
        return true;
      case "batch":
        for (const part of message.messages) receivePart(part);
        return true;
      case "invalid":
        return failInvalid(message);
    }
  }

  function settle(id: number, answer: Answer): void {
    const asks = era === "modern" && asksForInput(answer);
    take(id)?.resolve(asks ? { ...answer, asksForInput: true } : answer);
  }

  /** A batch in a batch means nothing, and reading one might never end. */
  function receivePart(bytes: Buffer): void {
    if (bytes[0] === OPEN_OBJECT) receive(bytes);
  }

  function receiveNotification(bytes: Buffer, message: Of<"notification">): void {
    const changed = changedList(message.method);
    if (changed !== undefined) {
      if (isReady) for (const kind of changed) options.onListChanged(kind);
    } else if (message.method === "notifications/progress") receiveProgress(bytes, message);
    else if (message.method === RESOURCE_UPDATED) receiveUpdate(bytes, message);
    else if (message.method === "notifications/subscriptions/acknowledged")
      listened.acknowledged(bytes, message);
    else options.onNotification({ bytes, message, waiting: clients(), answer: sendBytes, pause });
  }

  function receiveUpdate(bytes: Buffer, message: Of<"notification">): void {
    const update = readUpdate(bytes, message);
    if (update !== undefined) options.onUpdated(update);
  }

  function receiveProgress(bytes: Buffer, message: Of<"notification">): void {
    const token = message.params.progressToken;
    if (token?.kind !== "number") return;
    const id = Number(bytes.toString("latin1", token.valueStart, token.valueEnd));
    const found = waiting.get(id);
    if (found === undefined) return;
    extend(id, found);
    found.request.onProgress?.(bytes, message);
  }

  /** Progress starts the timeout anew, within the total that a call may take. */
  function extend(id: number, found: Waiting): void {
    giveTime(id, found, Math.min(found.request.timeoutMs, timeLeft(found)));
  }

  function timeLeft({ startedAt, request }: Waiting): number {
    return Math.max(0, startedAt + request.timeoutMs * MAX_TIMEOUT_RESETS - performance.now());
  }

  function giveTime(id: number, found: Waiting, ms: number): void {
    clearTimeout(found.timer);
    found.timer = startTimer(id, ms, found.request.timeoutMs);
  }

  function pause(client: RequestClient): () => void {
    const entry = waiting.entries().find(([, { request }]) => request.client === client);
    if (entry === undefined) return () => {};
    const [id, found] = entry;
    giveTime(id, found, timeLeft(found));
    return () => {
      if (waiting.get(id) === found) extend(id, found);
    };
  }

  function answerServer(bytes: Buffer, message: Of<"request">): void {
    if (message.method === "ping") sendBytes(resultMessage(message.idText));
    else options.onRequest({ bytes, message, waiting: clients(), answer: sendBytes, pause });
  }

  function clients(): RequestClient[] {
    return waiting.entries().flatMap(([, { request }]) => request.client ?? []);
  }

  function failInvalid(message: Of<"invalid">): boolean {
    if (typeof message.id !== "number") return false;
    take(message.id)?.reject(badAnswer(name, message.reason));
    return true;
  }

  function failOversize(oversize: Oversize): void {
    const { kind, id } = identifyOversize(oversize);
    if (kind === "call") return;
    const only = waiting.size === 1 ? waiting.entries()[0]?.[0] : undefined;
    const owner = typeof id === "number" ? id : only;
    if (owner === undefined) return;
    const limit = options.child.maxMessageBytes;
    const sentence = `Server ${name} sent ${oversize.bytes} bytes, and mcp.max_message allows ${limit}`;
    take(owner)?.reject(new UpstreamError("OVERSIZE", sentence));
  }

  /** Asks in an era, before it is known whether the server is of it. */
  function ask(inEra: Era, method: string, params: object, timeoutMs: number): Promise<Answer> {
    era = inEra;
    const build = (id: number) =>
      Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return request({ build, timeoutMs }).answer;
  }

  let subscribes = false;
  try {
    const { capabilities } = options;
    const said = { name, initTimeoutMs, clientInfo, capabilities };
    const greeting = await shakeHands({ ...said, ask, errorOf: errorIn, send }, first);
    ({ era, subscribes } = greeting);
  } catch (error) {
    await child.stop();
    throw error;
  }
  isReady = true;
  if (era === "modern") sendBytes(withEnvelope(LISTEN));
  const askHere = (method: string, params: object, timeoutMs: number) =>
    ask(era, method, params, timeoutMs);
  const asked =
    era === "modern" ? listened : createSessionUpdates({ ask: askHere, errorOf: errorIn });
  return { era, subscribes, updates: subscribes ? asked : NO_UPDATES, request, ended };
}

function errorIn({ bytes, message }: Answer) {
  return {
    code: message.kind === "error" ? errorCodeOf(bytes, message) : undefined,
    text: message.kind === "error" ? errorText(bytes, message) : "",
  };
}

/** Under an id that no other request has, because its answer says only that no more notifications come. */
const LISTEN = Buffer.from(
  JSON.stringify({
    jsonrpc: "2.0",
    id: "listen",
    method: "subscriptions/listen",
    params: {
      notifications: {
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
      },
    },
  }),
);

/** A modern server asks by its answer, and expects the same request again with what it asked for. */
function asksForInput({ bytes, message }: Answer): boolean {
  const kind = membersOf(bytes, message.envelope.result).find(({ key }) => key === "resultType");
  const resultType = stringAt(bytes, kind);
  return resultType !== undefined && resultKind({ resultType }) === "input_required";
}

function resultMessage(idText: string): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${idText},"result":{}}`);
}

function describeEnd({ code, signal }: ChildExit, isReady: boolean, tail: string): string {
  const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
  const when = isReady ? "" : " before it was ready";
  const words = tail.trim();
  return `${how}${when}${words === "" ? "" : `${LAST_WORDS}${words}`}`;
}

/** The message of a JSON-RPC error, shortened. */
export function errorText(bytes: Buffer, message: Of<"error">): string {
  const { message: text } = errorOf(bytes, message);
  return typeof text === "string" ? text.slice(0, MAX_QUOTED_CHARACTERS) : "no reason given";
}

/** The code of a JSON-RPC error, if it is a number. */
export function errorCodeOf(bytes: Buffer, message: Of<"error">): number | undefined {
  const { code } = errorOf(bytes, message);
  return typeof code === "number" ? code : undefined;
}

function errorOf(bytes: Buffer, { envelope }: Of<"error">): { code?: unknown; message?: unknown } {
  const member = envelope.error;
  if (member?.kind !== "object") return {};
  return JSON.parse(bytes.toString("utf8", member.valueStart, member.valueEnd));
}
