import type { ServerResponse } from "node:http";
import type { JsonMember } from "@core/bounds";
import {
  CONNECTION_CLOSED,
  LEGACY_VERSIONS,
  membersOf,
  PARSE_ERROR,
  type RelayMessage,
  readEnvelope,
  stringAt,
} from "@core/wire";
import type { Caller } from "../auth/bearer.ts";
import { REFUSALS } from "../errors.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { type Identity, initializeResult, negotiateVersion } from "../exchange/initialize.ts";
import type { Reply } from "../exchange/reply.ts";
import { resultMessage } from "../response/message.ts";
import { createSlots } from "../upstream/slots.ts";
import type { Accept } from "./accept.ts";
import { openEventStream } from "./event-stream.ts";
import { refuse } from "./refuse.ts";
import { createReply } from "./reply.ts";
import type { Session } from "./session.ts";
import type { Sessions } from "./sessions.ts";

/** One HTTP request to `/mcp` after the guards: who asks, and what the headers say. */
interface EndpointRequest {
  readonly response: ServerResponse;
  readonly caller: Caller;
  /** The headers Mcp-Session-Id and MCP-Protocol-Version. */
  readonly sessionId: string | undefined;
  readonly protocolVersion: string | undefined;
}

/** Streamable HTTP with sessions, revisions 2024-11-05 to 2025-11-25. */
export interface Endpoint {
  post(body: Buffer, accept: Accept, request: EndpointRequest): void;
  /** Opens the session's stream for what belongs to none of its requests. */
  get(request: EndpointRequest): void;
  delete(request: EndpointRequest): void;
  /** Refuses what comes from now on, waits for the calls in flight, and answers those that are late with an error. */
  drain(ms: number): Promise<void>;
}

export interface EndpointOptions {
  readonly sessions: Sessions;
  readonly exchange: Exchange;
  readonly identity: Identity;
  /** Called when a session has got its stream, which may have missed something. */
  onStream(session: Session): void;
}

type RequestMessage = RelayMessage & { readonly kind: "request" };

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { sessions, exchange, identity, onStream } = options;
  const open = createSlots<Reply>();
  let stopping = false;
  let onDrained = () => {};

  function post(body: Buffer, accept: Accept, request: EndpointRequest) {
    const { response } = request;
    if (stopping) return refuse(response, REFUSALS.stopping);
    const message = readEnvelope(body);
    if (message.kind === "batch") return refuse(response, REFUSALS.batch);
    if (message.kind === "invalid") return refuseInvalid(response, message);
    if (message.kind === "request" && message.method === "initialize")
      return initialize(body, accept, request, message);
    const session = findSession(request, message.kind === "request" ? message.idText : undefined);
    if (session === undefined) return;
    if (message.kind === "request") return answer(body, accept, response, message, session);
    if (message.kind === "notification") exchange.notification(body, message, session.inFlight);
    else exchange.answer(body, message, session);
    response.writeHead(202).end();
  }

  function initialize(
    body: Buffer,
    accept: Accept,
    { response, caller }: EndpointRequest,
    message: RequestMessage,
  ) {
    const params = membersOf(body, message.envelope.params);
    const requested = params.find(({ key }) => key === "protocolVersion");
    const version = negotiateVersion(stringAt(body, requested));
    const session = sessions.open(caller, { capabilities: capabilitiesOf(body, params) });
    if (session === undefined) return refuse(response, REFUSALS.sessionsBusy, message.idText);
    response.setHeader("Mcp-Session-Id", session.id);
    const result = initializeResult(version, identity);
    createReply(response, message.idText, accept).finish(resultMessage(message.idText, result));
  }

  function answer(
    body: Buffer,
    accept: Accept,
    response: ServerResponse,
    message: RequestMessage,
    session: Session,
  ) {
    const reply = createReply(response, message.idText, accept, () => {
      open.take(number);
      sessions.touch(session);
      if (open.size === 0) onDrained();
    });
    const number = open.add(reply);
    exchange.request({
      bytes: body,
      message,
      session,
      inFlight: session.inFlight,
      reply,
      told(revision) {
        session.toldRevision = revision;
      },
    });
  }

  /** The session that the headers name; without one the request has been refused. */
  function findSession(request: EndpointRequest, idText?: string): Session | undefined {
    const { response, caller, sessionId, protocolVersion } = request;
    if (protocolVersion !== undefined && !isLegacy(protocolVersion))
      return void refuse(response, REFUSALS.protocolVersion, idText);
    if (sessionId === undefined) return void refuse(response, REFUSALS.sessionMissing, idText);
    const session = sessions.find(sessionId, caller);
    if (session === undefined) refuse(response, REFUSALS.sessionUnknown, idText);
    return session;
  }

  return {
    post,
    get(request) {
      if (stopping) return refuse(request.response, REFUSALS.stopping);
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
    async drain(ms) {
      stopping = true;
      const drained = new Promise<void>((resolve) => {
        onDrained = resolve;
      });
      if (open.size > 0) {
        const timer = setTimeout(onDrained, ms);
        await drained;
        clearTimeout(timer);
      }
      for (const [, reply] of open.entries())
        reply.fail(CONNECTION_CLOSED, REFUSALS.stopping.message);
    },
  };
}

/** The names of the capabilities that a client declares. */
function capabilitiesOf(body: Buffer, params: readonly JsonMember[]): ReadonlySet<string> {
  const declared = params.find(({ key }) => key === "capabilities");
  return new Set(membersOf(body, declared).map(({ key }) => key));
}

function refuseInvalid(
  response: ServerResponse,
  { code, reason, idText }: RelayMessage & { readonly kind: "invalid" },
): void {
  const refusal =
    code === PARSE_ERROR
      ? REFUSALS.json
      : { ...REFUSALS.message, message: `Invalid request: ${reason}` };
  refuse(response, refusal, idText);
}

function isLegacy(version: string): boolean {
  return (LEGACY_VERSIONS as readonly string[]).includes(version);
}
