import type { IncomingMessage } from "node:http";
import { setTimeout as after } from "node:timers/promises";
import { isObject } from "@core/wire";
import { FAREWELL_MS, MAX_STREAM_PAUSE_MS, STREAM_PAUSE_MS } from "../limits.ts";
import { readMessages } from "./answer.ts";
import type { Door } from "./door.ts";

/** The session of a client that has sent `initialize`. A daemon that was restarted gets a new one, unseen by the client. */
export interface LegacySession {
  /** The headers that name the session; none before there is one. */
  headers(): Record<string, string>;
  /** Opens the session with the client's own request. Resolves with the answer, or the response that refused it. */
  open(initialize: Buffer): Promise<Buffer | IncomingMessage>;
  /** Opens another session in the place of the one with these headers, unless that has happened. False if it is refused. */
  renew(lost: Readonly<Record<string, string>>): Promise<boolean>;
  /** Ends the session and its stream. */
  close(): Promise<void>;
}

export interface LegacySessionOptions {
  readonly door: Door;
  /** A message of the server for the client. */
  onMessage(json: Buffer): void;
  /** Called after another session was opened: lists may differ now. */
  onRenewed(): void;
}

/** Names the session in each request. */
export const SESSION_HEADER = "mcp-session-id";
const JSON_OR_EVENTS = { accept: "application/json, text/event-stream" };
const INITIALIZED = Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}');

export function createLegacySession(options: LegacySessionOptions): LegacySession {
  const { door, onMessage, onRenewed } = options;
  let request: Buffer | undefined;
  let named: Record<string, string> = {};
  let renewing: Promise<boolean> | undefined;
  let stream = new AbortController();
  const closing = new AbortController();

  async function open(initialize: Buffer): Promise<Buffer | IncomingMessage> {
    const response = await door({ method: "POST", headers: JSON_OR_EVENTS, body: initialize });
    const id = response.headers[SESSION_HEADER];
    if (response.statusCode !== 200 || typeof id !== "string") return response;
    let answer = Buffer.alloc(0);
    await readMessages(response, (json) => {
      answer = json as typeof answer;
    });
    request = initialize;
    named = { [SESSION_HEADER]: id, "mcp-protocol-version": versionIn(answer) };
    return answer;
  }

  async function openAgain(): Promise<boolean> {
    if (request === undefined || closing.signal.aborted) return false;
    const answer = await open(request);
    if (!Buffer.isBuffer(answer)) {
      answer.resume();
      return false;
    }
    const headers = { ...JSON_OR_EVENTS, ...named };
    (await door({ method: "POST", headers, body: INITIALIZED })).resume();
    listen();
    onRenewed();
    return true;
  }

  function renew(lost: Readonly<Record<string, string>>): Promise<boolean> {
    if (renewing === undefined && lost[SESSION_HEADER] !== named[SESSION_HEADER])
      return Promise.resolve(true);
    renewing ??= openAgain().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  /** Keeps the stream of the present session open: what the server says unasked comes there. */
  function listen(): void {
    stream.abort();
    stream = new AbortController();
    const signal = AbortSignal.any([stream.signal, closing.signal]);
    follow(named, signal).catch(() => {
      // It ends only by its signal, or because the session cannot be opened again, which the next call tells.
    });
  }

  async function follow(session: Record<string, string>, signal: AbortSignal): Promise<void> {
    const headers = { accept: "text/event-stream", ...session };
    for (let pause = STREAM_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_STREAM_PAUSE_MS)) {
      const status = await readStream(headers, signal);
      if (status === 404) await renew(session);
      if (status === 404 || status === 405) return;
      if (status === 200) pause = STREAM_PAUSE_MS;
      await after(pause, undefined, { signal, ref: false });
    }
  }

  /** Reads the stream to its end and tells its status; undefined if it could not be opened. */
  async function readStream(
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    let status: number | undefined;
    try {
      const response = await door({ method: "GET", headers, signal });
      status = response.statusCode;
      if (status === 200) await readMessages(response, onMessage);
      else response.resume();
    } catch {
      // Cut off, or nobody there: it is opened again after a pause.
      signal.throwIfAborted();
    }
    return status;
  }

  return {
    headers: () => named,
    async open(initialize) {
      const answer = await open(initialize);
      if (Buffer.isBuffer(answer)) listen();
      return answer;
    },
    renew,
    async close() {
      closing.abort();
      if (named[SESSION_HEADER] === undefined) return;
      try {
        const signal = AbortSignal.timeout(FAREWELL_MS);
        (await door({ method: "DELETE", headers: named, signal })).resume();
      } catch {
        // The daemon has gone, or is slow: the session ends there by itself.
      }
    },
  };
}

function versionIn(answer: Buffer): string {
  const message: unknown = JSON.parse(answer.toString("utf8"));
  const result = isObject(message) && isObject(message.result) ? message.result : {};
  return typeof result.protocolVersion === "string" ? result.protocolVersion : "2025-03-26";
}
