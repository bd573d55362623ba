import type { IncomingHttpHeaders } from "node:http";
import {
  checkParamHeaders,
  checkRequestHeaders,
  discoverResult,
  isModernVersion,
  LEGACY_VERSIONS,
  META_KEYS,
  MISSING_CLIENT_CAPABILITY,
  MODERN_VERSIONS,
  membersOf,
  type ParamHeader,
  type ReadableMessage,
  readEnvelope,
  stringAt,
  textAt,
} from "@core/wire";
import { REFUSALS, type Refusal } from "../errors.ts";
import type { StandAlone } from "../exchange/client-request.ts";
import { createComplete } from "../exchange/complete.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { createInFlight } from "../exchange/in-flight.ts";
import type { Identity } from "../exchange/initialize.ts";
import type { Reply } from "../exchange/reply.ts";
import { resultMessage } from "../response/message.ts";
import type { Answers } from "./answers.ts";
import {
  type EndpointRequest,
  headerOf,
  type ReadMessage,
  type RequestMessage,
} from "./endpoint-request.ts";
import { whenLearned } from "./learn.ts";
import { refuse } from "./refuse.ts";
import { createReply } from "./reply.ts";
import type { Session } from "./session.ts";
import type { Sessions } from "./sessions.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** Streamable HTTP of revision 2026-07-28: no session, each request stands for itself. */
export interface Modern {
  post(body: Buffer, message: ReadMessage, request: EndpointRequest): void;
}

export interface ModernOptions {
  readonly sessions: Sessions;
  readonly exchange: Exchange;
  readonly answers: Answers;
  readonly subscriptions: Subscriptions;
  readonly identity: Identity;
}

/** Methods that the modern era has no more. */
const LEGACY_ONLY: ReadonlySet<string> = new Set([
  "initialize",
  "ping",
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
]);

export function createModern(options: ModernOptions): Modern {
  const { sessions, exchange, answers, subscriptions, identity } = options;
  const complete = createComplete(identity);
  /** Logging messages are not asked for in this era. */
  const discovered = () => {
    const { logging: _, ...capabilities } = exchange.capabilities() as { logging?: object };
    return JSON.stringify(
      discoverResult({
        serverInfo: { ...identity },
        capabilities,
        supportedVersions: MODERN_VERSIONS,
      }),
    );
  };

  function answer(body: Buffer, message: RequestMessage, request: EndpointRequest) {
    const { response, caller, cwd } = request;
    const { idText, method } = message;
    const checked = checkRequestHeaders(describe(body, message), request.headers);
    if (!checked.ok) return refuse(response, { status: checked.status, ...checked.error }, idText);
    if (method === "server/discover") return discover(message, request);
    const isListen = method === "subscriptions/listen";
    if (!isListen && (LEGACY_ONLY.has(method) || !exchange.serves(method)))
      return refuse(response, REFUSALS.methodUnknown, idText);
    const session = sessions.join({ caller, cwd });
    if (session === undefined) return refuse(response, REFUSALS.sessionsBusy, idText);
    if (isListen) return subscriptions.listen(body, message, session, request);
    relay(body, message, session, request);
  }

  function discover(message: RequestMessage, { response, accept }: EndpointRequest) {
    const inFlight = createInFlight();
    const reply = createReply(response, message.idText, accept, inFlight.cancelAll);
    whenLearned(exchange, { message, inFlight, reply }, undefined, () =>
      reply.finish(resultMessage(message.idText, discovered())),
    );
  }

  /** A client takes its request back by closing the response. */
  function relay(
    body: Buffer,
    message: RequestMessage,
    session: Session,
    { response, accept, headers }: EndpointRequest,
  ) {
    const own = createInFlight();
    const standAlone: StandAlone = {
      checkHeaders: (mirrored) => checkArguments(body, message, mirrored, headers),
    };
    const over = session.inFlight.add(message.idText, own.cancelAll);
    const makeReply = (onOver: () => void): Reply => {
      const close = () => {
        over();
        onOver();
        own.cancelAll();
      };
      const reply = createReply(response, message.idText, accept, close, statusOf);
      return { ...reply, finish: (json) => reply.finish(complete(json, message.method)) };
    };
    answers.answer(body, message, session, makeReply, { inFlight: own, request: standAlone });
  }

  return {
    post(body, message, request) {
      if (message.kind === "request") return answer(body, message, request);
      // A modern client has nothing to notify of: it cancels by closing, and is asked for nothing.
      request.response.writeHead(202).end();
    },
  };
}

/** A server's word that it needs what its client has not declared has a status of its own (MCP 2026-07-28, capabilities). */
function statusOf(answer: Buffer): number {
  // Nearly no answer holds it, and the others need not be read for it.
  if (!answer.includes(String(MISSING_CLIENT_CAPABILITY))) return 200;
  const message = readEnvelope(answer);
  const members = message.kind === "error" ? membersOf(answer, message.envelope.error) : [];
  const code = members.find(({ key }) => key === "code");
  const isMissing = code && textAt(answer, code) === String(MISSING_CLIENT_CAPABILITY);
  return isMissing ? 400 : 200;
}

/** A message is of the modern era if its `_meta` names a version, whatever it is, or if the header names a modern one. */
export function isModern(message: ReadMessage, request: EndpointRequest): boolean {
  return message.meta[META_KEYS.protocolVersion] !== undefined || namesModernVersion(request);
}

export function namesModernVersion(request: EndpointRequest): boolean {
  const version = headerOf(request, "mcp-protocol-version");
  // Nearly every request is of the latest revision with sessions.
  return version !== undefined && version !== LEGACY_VERSIONS[0] && isModernVersion(version);
}

/** What a tool asks to be repeated as headers must say the same there. */
function checkArguments(
  body: Buffer,
  { params }: RequestMessage,
  mirrored: readonly ParamHeader[],
  headers: IncomingHttpHeaders,
): Refusal | undefined {
  if (mirrored.length === 0) return undefined;
  const values: unknown = params.arguments && JSON.parse(textAt(body, params.arguments));
  const checked = checkParamHeaders(mirrored, values ?? {}, headers);
  return checked && { status: checked.status, ...checked.error };
}

/** What the check of the headers reads of a request. */
function describe(body: Buffer, { method, params, meta }: RequestMessage & ReadableMessage) {
  const standIn = (name: string) => {
    const member = meta[name];
    return member && (member.kind === "object" ? {} : null);
  };
  return {
    method,
    params: {
      name: stringAt(body, params.name),
      uri: stringAt(body, params.uri),
      _meta: {
        [META_KEYS.protocolVersion]: stringAt(body, meta[META_KEYS.protocolVersion]),
        [META_KEYS.clientCapabilities]: standIn(META_KEYS.clientCapabilities),
        [META_KEYS.clientInfo]: standIn(META_KEYS.clientInfo),
      },
    },
  };
}
