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
import { SINGLE_WRITE_BYTES } from "../limits.ts";
import { type Answer, badAnswer, type Of } from "./answer.ts";
import { createWithEnvelope } from "./envelope.ts";
import { errorIn } from "./error-answer.ts";
import { type Era, shakeHands } from "./handshake.ts";
import { changedList, type ListKind } from "./list-kind.ts";
import type { FromServer, OutgoingRequest, PendingRequest } from "./request.ts";
import { RESOURCE_UPDATED, type ResourceUpdate, readUpdate } from "./resource-update.ts";
import {
  createListenedUpdates,
  createSessionUpdates,
  NO_UPDATES,
  type ResourceUpdates,
} from "./resource-updates.ts";
import { createWaiting } from "./waiting.ts";

const OPEN_OBJECT = 0x7b;

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
  const waiting = createWaiting((id, timeoutMs) => {
    const sentence = `Server ${name} did not answer within ${timeoutMs} ms`;
    giveUp(id, new UpstreamError("TIMEOUT", sentence));
  });
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
    waiting.failAll(whyEnded);
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

  function giveUp(id: number, error: UpstreamError): void {
    const found = waiting.take(id);
    if (found === undefined) return;
    // The specification forbids to cancel initialize, which is the only request before that.
    if (isReady) {
      const params = { requestId: id, reason: error.code };
      send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    }
    found.reject(error);
  }

  function request(outgoing: OutgoingRequest): PendingRequest {
    let id = 0;
    const answer = new Promise<Answer>((resolve, reject) => {
      if (whyEnded !== undefined) return reject(whyEnded);
      id = waiting.add({ request: outgoing, resolve, reject });
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
    waiting.take(id)?.resolve(asks ? { ...answer, asksForInput: true } : answer);
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
    else
      options.onNotification({
        bytes,
        message,
        waiting: waiting.clients(),
        answer: sendBytes,
        pause: waiting.pause,
      });
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
    waiting.extend(id);
    found.request.onProgress?.(bytes, message);
  }

  function answerServer(bytes: Buffer, message: Of<"request">): void {
    if (message.method === "ping") sendBytes(resultMessage(message.idText));
    else
      options.onRequest({
        bytes,
        message,
        waiting: waiting.clients(),
        answer: sendBytes,
        pause: waiting.pause,
      });
  }

  function failInvalid(message: Of<"invalid">): boolean {
    if (typeof message.id !== "number") return false;
    waiting.take(message.id)?.reject(badAnswer(name, message.reason));
    return true;
  }

  function failOversize(oversize: Oversize): void {
    const { kind, id } = identifyOversize(oversize);
    if (kind === "call") return;
    const owner = typeof id === "number" ? id : waiting.only();
    if (owner === undefined) return;
    const limit = options.child.maxMessageBytes;
    const sentence = `Server ${name} sent ${oversize.bytes} bytes, and mcp.max_message allows ${limit}`;
    waiting.take(owner)?.reject(new UpstreamError("OVERSIZE", sentence));
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
