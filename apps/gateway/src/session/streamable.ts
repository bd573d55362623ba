import { LEGACY_VERSIONS } from "@core/wire";
import { REFUSALS } from "../errors.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { type Identity, initializeResult } from "../exchange/initialize.ts";
import { resultMessage } from "../response/message.ts";
import type { Answers } from "./answers.ts";
import {
  type EndpointRequest,
  headerOf,
  type ReadMessage,
  type RequestMessage,
} from "./endpoint-request.ts";
import { openEventStream } from "./event-stream.ts";
import { readHandshake } from "./handshake.ts";
import { whenLearned } from "./learn.ts";
import { refuse } from "./refuse.ts";
import { createReply } from "./reply.ts";
import type { Session } from "./session.ts";
import type { Sessions } from "./sessions.ts";

/** Streamable HTTP with sessions, revisions 2024-11-05 to 2025-11-25. */
export interface Streamable {
  post(body: Buffer, message: ReadMessage, request: EndpointRequest): void;
  /** Opens the session's stream for what belongs to none of its requests. */
  get(request: EndpointRequest): void;
  delete(request: EndpointRequest): void;
}

export interface StreamableOptions {
  readonly sessions: Sessions;
  readonly exchange: Exchange;
  readonly answers: Answers;
  readonly identity: Identity;
  /** Called when a session has got its stream, which may have missed something. */
  onStream(session: Session): void;
}

export function createStreamable(options: StreamableOptions): Streamable {
  const { sessions, exchange, answers, identity, onStream } = options;

  function initialize(body: Buffer, message: RequestMessage, request: EndpointRequest) {
    const { response, caller, cwd, accept } = request;
    const { version, capabilities } = readHandshake(body, message);
    const session = sessions.open("streamable", { caller, cwd, capabilities, version });
    if (session === undefined) return refuse(response, REFUSALS.sessionsBusy, message.idText);
    response.setHeader("Mcp-Session-Id", session.id);
    const reply = createReply(response, message.idText, accept);
    whenLearned(exchange, { message, inFlight: session.inFlight, reply }, session, () => {
      const result = initializeResult(version, exchange.capabilities(), identity);
      reply.finish(resultMessage(message.idText, result));
    });
  }

  /** The session that the headers name; without one the request has been refused. */
  function findSession(request: EndpointRequest, idText?: string): Session | undefined {
    const { response, caller } = request;
    const version = headerOf(request, "mcp-protocol-version");
    if (version !== undefined && !isLegacy(version))
      return void refuse(response, REFUSALS.protocolVersion, idText);
    const id = headerOf(request, "mcp-session-id");
    if (id === undefined) return void refuse(response, REFUSALS.sessionMissing, idText);
    const session = sessions.find(id, "streamable", caller) ?? resume(id, version, request);
    if (session === undefined) return void refuse(response, REFUSALS.sessionUnknown, idText);
    if (isOtherFolder(request, session)) return void refuse(response, REFUSALS.cwdOther, idText);
    return session;
  }

  /** Clients of the first revisions do not send theirs. */
  function resume(id: string, version: string | undefined, { caller, cwd }: EndpointRequest) {
    const versions = version === undefined ? LEGACY_VERSIONS : [version];
    for (const one of versions) {
      const session = sessions.resume(id, { caller, cwd, version: one });
      if (session !== undefined) return session;
    }
    return undefined;
  }

  return {
    post(body, message, request) {
      const { response, accept } = request;
      if (message.kind === "request" && message.method === "initialize")
        return initialize(body, message, request);
      const session = findSession(request, message.kind === "request" ? message.idText : undefined);
      if (session === undefined) return;
      if (message.kind === "request")
        return answers.answer(body, message, session, (onOver) =>
          createReply(response, message.idText, accept, onOver),
        );
      if (message.kind === "notification") exchange.notification(body, message, session.inFlight);
      else exchange.answer(body, message, session);
      response.writeHead(202).end();
    },
    get(request) {
      const session = findSession(request);
      if (session === undefined) return;
      // A client that opens a second stream has lost the first, though the network may not have told yet.
      session.announcements?.end();
      const stream = openEventStream(request.response, () => {
        sessions.touch(session);
        if (session.announcements === stream) session.announcements = undefined;
      });
      session.announcements = stream;
      onStream(session);
    },
    delete(request) {
      const session = findSession(request);
      if (session === undefined) return;
      sessions.end(session);
      request.response.writeHead(204).end();
    },
  };
}

/** A session keeps the folder that it was opened for; naming none later is no change. */
export function isOtherFolder({ cwd }: EndpointRequest, session: Session): boolean {
  return cwd !== undefined && cwd.path !== session.cwd?.path;
}

function isLegacy(version: string): boolean {
  return (LEGACY_VERSIONS as readonly string[]).includes(version);
}
