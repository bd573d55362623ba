import { isObject, type JsonObject, RpcError } from "@core/wire";
import { Client as SdkClient } from "@modelcontextprotocol/sdk/client/index.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import type { Channel } from "../channel/channel.ts";
import { AdapterError } from "../errors.ts";
import { limits } from "../limits.ts";
import { createDeadline } from "./deadline.ts";
import { failureOfConnect, failureOfRequest, isEnd } from "./failure.ts";

/** One live MCP client. It belongs to one generation of a connection and is never revived. */
export interface Client {
  /**
   * Sends one request, once, and resolves with the result as it came. Rejects with an {@link AdapterError}. An aborted
   * `signal` settles the call at once, tells the server, and hurts no other call.
   */
  request(method: string, params: JsonObject, signal?: AbortSignal): Promise<JsonObject>;
  /** How often the server has said that its list of tools changed. */
  readonly toolRevision: number;
  /** Why the client is of no more use; undefined while it is. */
  readonly lost: AdapterError | undefined;
  /** Rejects what is pending with CLOSED and ends the channel. A lost client closes itself once nothing is pending. */
  close(): Promise<void>;
  /** Resolves when the channel has ended. */
  readonly closed: Promise<void>;
}

export interface ClientOptions {
  readonly channel: Channel;
  readonly version: string;
  /** Milliseconds: for the whole handshake, and for the silence of each request. */
  readonly timeoutMs: number;
  /** Ends the handshake. */
  readonly signal: AbortSignal;
  /** Told once when the client became useless: {@link Client.lost} is set then. Not after {@link Client.close}. */
  onLost(client: Client, failure: AdapterError): void;
}

/** Results as they come: the SDK's own schemas strip what they do not know and refuse what they find odd. */
const anyResult = z.custom<JsonObject>(isObject);

/** The SDK's own timer never ends a request: a deadline of ours knows about progress, totals and cancellation. */
const NO_SDK_TIMEOUT = { timeout: limits.maxTimeoutMs };

/** Makes the handshake over an open channel. On failure the channel is closed. Rejects with an {@link AdapterError}. */
export async function connectClient(options: ClientOptions): Promise<Client> {
  const { channel, version, timeoutMs, signal } = options;
  const sdk = new SdkClient({ name: "travis234-mcp-adapter", version }, { capabilities: {} });
  let toolRevision = 0;
  sdk.fallbackNotificationHandler = async ({ method }) => {
    if (method === "notifications/tools/list_changed") toolRevision++;
  };
  let ended: Promise<AdapterError> | undefined;
  sdk.onclose = () => {
    ended ??= describeEnd(channel);
  };

  const deadline = createDeadline({ silenceMs: timeoutMs, totalMs: timeoutMs, outer: signal });
  try {
    await sdk.connect(channel.transport, { ...NO_SDK_TIMEOUT, signal: deadline.signal });
  } catch (error) {
    await channel.close();
    throw failureOfConnect(plain(error), {
      deadline,
      timeoutMs,
      report: await channel.endReport(),
    });
  } finally {
    deadline.release();
  }
  return createLiveClient(options, sdk, {
    ended: () => ended,
    toolRevision: () => toolRevision,
  });
}

function createLiveClient(
  { channel, timeoutMs, onLost }: ClientOptions,
  sdk: SdkClient,
  state: { ended(): Promise<AdapterError> | undefined; toolRevision(): number },
): Client {
  const closing = new AbortController();
  let pending = 0;
  let lost: AdapterError | undefined;

  /** The owner drops the client at once; the channel goes when the last request on it has settled. */
  function lose(failure: AdapterError): void {
    if (lost !== undefined || closing.signal.aborted) return;
    lost = failure;
    onLost(client, failure);
  }

  let startClose: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    startClose = resolve;
  }).then(() => channel.close());

  /** Once: the transport reports each close, and a report must not lead to the next one. */
  function closeChannel(): Promise<void> {
    startClose();
    return closed;
  }

  async function closeIfIdle(): Promise<void> {
    if (lost !== undefined && pending === 0) await closeChannel();
  }

  const onclose = sdk.onclose;
  sdk.onclose = () => {
    onclose?.();
    void state.ended()?.then(lose).then(closeIfIdle);
  };

  async function request(
    method: string,
    params: JsonObject,
    signal?: AbortSignal,
  ): Promise<JsonObject> {
    const deadline = createDeadline({
      silenceMs: timeoutMs,
      totalMs: Math.min(timeoutMs * limits.maxTimeoutExtension, limits.maxTimeoutMs),
      outer: signal,
      closing: closing.signal,
    });
    pending++;
    try {
      return await sdk.request({ method, params }, anyResult, {
        ...NO_SDK_TIMEOUT,
        signal: deadline.signal,
        onprogress: deadline.extend,
      });
    } catch (error) {
      const end = await state.ended();
      const failure = failureOfRequest(plain(error), { method, deadline, timeoutMs, end });
      if (isEnd(failure)) lose(failure);
      throw failure;
    } finally {
      deadline.release();
      pending--;
      void closeIfIdle();
    }
  }

  const client: Client = {
    request,
    get toolRevision() {
      return state.toolRevision();
    },
    get lost() {
      return lost;
    },
    closed,
    async close() {
      closing.abort();
      await closeChannel();
    },
  };
  return client;
}

/** The SDK puts a prefix of its own before a server's message. */
function plain(thrown: unknown): unknown {
  if (!(thrown instanceof McpError)) return thrown;
  const { code, message, data } = thrown;
  return new RpcError(code, message.replace(`MCP error ${code}: `, ""), data);
}

async function describeEnd(channel: Channel): Promise<AdapterError> {
  const { how, stderr } = await channel.endReport();
  return new AdapterError("CONNECTION_LOST", `The server ${how}`, { serverSaid: stderr });
}
