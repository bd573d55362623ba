import {
  createPeer,
  isModernVersion,
  isObject,
  type JsonObject,
  METHOD_NOT_FOUND,
  type ParamHeader,
  RpcError,
  withEnvelope,
} from "@core/wire";
import type { Channel, EndReport } from "../channel/channel.ts";
import { AdapterError } from "../errors.ts";

/** The lists of a server that may change while a connection lives. */
export type CatalogKind = "tools" | "resources" | "prompts";

/** Requests and answers over a channel, in the words of either era. */
export interface Line {
  /**
   * Sends one request, once. Rejects with `RpcError`, `RequestTimeoutError`, an {@link AdapterError}, or the signal's
   * reason.
   */
  request(method: string, params: JsonObject, options: LineRequest): Promise<JsonObject>;
  notify(method: string): Promise<void>;
  /** From now on requests are sent in the form of this revision. */
  speak(version: string): void;
  /** How often the server has said that this list of its changed, or may have said so to nobody. */
  revision(kind: CatalogKind): number;
  /** Resolves when the server has ended the line, with what its requests are rejected with. */
  readonly ended: Promise<AdapterError>;
  /** Undefined while the line lives. */
  readonly end: AdapterError | undefined;
  /** Rejects what is pending with CLOSED and ends the channel, once. */
  close(): Promise<EndReport>;
}

interface LineRequest {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of silence, which progress breaks, and in all. Without end unless given. */
  readonly timeoutMs?: number;
  readonly maxTotalMs?: number;
  /** Meanwhile the server asked for something that this client does not do, and was declined. */
  readonly onDeclined?: ((method: string) => void) | undefined;
  /** The arguments that modern HTTP repeats in headers. */
  readonly mirrored?: readonly ParamHeader[] | undefined;
}

export function createLine(channel: Channel, clientInfo: JsonObject): Line {
  const revisions: Record<CatalogKind, number> = { tools: 0, resources: 0, prompts: 0 };
  const askers = new Set<(method: string) => void>();
  let mirrored: readonly ParamHeader[] = [];
  let modern: string | undefined;
  let end: AdapterError | undefined;
  let closing: Promise<EndReport> | undefined;

  const peer = createPeer({
    send: (message) => channel.send(message, mirrored),
    onRequest({ method }) {
      for (const tell of askers) tell(method);
      throw new RpcError(METHOD_NOT_FOUND, "This client declares no such capability");
    },
    onNotification({ method }) {
      const kind = /^notifications\/(tools|resources|prompts)\/list_changed$/.exec(method)?.[1];
      if (kind !== undefined) revisions[kind as CatalogKind]++;
    },
    cancel(id, reason) {
      if (channel.abandon(id)) return;
      // Whom the notice does not reach has nothing left to cancel.
      peer.notify("notifications/cancelled", { requestId: id, reason }).catch(() => {});
    },
  });

  const ended = new Promise<AdapterError>((resolve) => {
    channel.listen({
      onMessage: peer.receive,
      async onEnd() {
        const { how, stderr } = await channel.endReport();
        end = new AdapterError("CONNECTION_LOST", `The server ${how}`, { serverSaid: stderr });
        peer.close(end);
        resolve(end);
      },
    });
  });

  function enveloped(params: JsonObject): JsonObject {
    if (modern === undefined) return params;
    return withEnvelope(params, { protocolVersion: modern, clientInfo, clientCapabilities: {} });
  }

  async function request(
    method: string,
    params: JsonObject,
    options: LineRequest,
  ): Promise<JsonObject> {
    const { signal, timeoutMs = FOREVER, maxTotalMs = FOREVER, onDeclined } = options;
    if (onDeclined !== undefined) askers.add(onDeclined);
    try {
      // The peer hands the message over before it returns, so this stands for no other.
      mirrored = options.mirrored ?? [];
      const answer = peer.request(method, enveloped(params), { signal, timeoutMs, maxTotalMs });
      mirrored = [];
      const result = await answer;
      if (isObject(result)) return result;
      throw new AdapterError("PROTOCOL_ERROR", "The server sent a result that is not an object");
    } catch (error) {
      const isLocal = error instanceof RpcError && error.data instanceof AdapterError;
      throw isLocal ? error.data : error;
    } finally {
      if (onDeclined !== undefined) askers.delete(onDeclined);
    }
  }

  return {
    request,
    notify: (method) => peer.notify(method),
    speak(version) {
      modern = isModernVersion(version) ? version : undefined;
      channel.speak(version);
    },
    revision: (kind) => revisions[kind] + channel.lapses(),
    ended,
    get end() {
      return end;
    },
    close() {
      peer.close(new AdapterError("CLOSED", "The connection was closed before the answer"));
      closing ??= channel.close().then(() => channel.endReport());
      return closing;
    },
  };
}

const FOREVER = Number.POSITIVE_INFINITY;
