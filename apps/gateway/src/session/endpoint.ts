import { PARSE_ERROR, readEnvelope } from "@core/wire";
import { REFUSALS } from "../errors.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Identity } from "../exchange/initialize.ts";
import { createAnswers } from "./answers.ts";
import type { EndpointRequest, ReadMessage } from "./endpoint-request.ts";
import { createModern, isModern, namesModernVersion } from "./modern.ts";
import { refuse } from "./refuse.ts";
import type { Revisions } from "./revisions.ts";
import type { Session } from "./session.ts";
import type { Sessions } from "./sessions.ts";
import { createSse } from "./sse.ts";
import { createStreamable } from "./streamable.ts";
import { createSubscriptions } from "./subscriptions.ts";

/** What HTTP requests come to, in both eras and over both transports. */
export interface Endpoint {
  /** A message in a body of its own, as Streamable HTTP has it. */
  post(body: Buffer, request: EndpointRequest): void;
  /** The stream of a session that was opened by a post. */
  get(request: EndpointRequest): void;
  delete(request: EndpointRequest): void;
  /** A legacy stream of events, which opens a session. */
  openSse(request: EndpointRequest): void;
  /** A message to such a session. */
  postMessage(body: Buffer, sessionId: string | undefined, request: EndpointRequest): void;
  /** Refuses what comes from now on, waits for the calls in flight, and answers those that are late with an error. */
  drain(ms: number): Promise<void>;
  counts(): EndpointCounts;
}

interface EndpointCounts {
  readonly inFlight: number;
  readonly subscriptions: number;
  /** Requests so far, and not only those of this moment. */
  readonly requests: number;
}

export interface EndpointOptions {
  readonly sessions: Sessions;
  readonly exchange: Exchange;
  readonly identity: Identity;
  readonly revisions: Revisions;
}

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { sessions, exchange, revisions, identity } = options;
  const answers = createAnswers(exchange, sessions);
  const subscriptions = createSubscriptions({
    revisions,
    identity,
    exchange,
  });
  const onStream = (session: Session) => {
    revisions.announce(session);
    exchange.announce(session);
  };
  const rooms = { sessions, exchange, answers, identity };
  const streamable = createStreamable({ ...rooms, onStream });
  const modern = createModern({ ...rooms, subscriptions });
  const sse = createSse(rooms);
  let stopping = false;

  /** The message in a body; without one the request has been refused. */
  function read(body: Buffer, { response }: EndpointRequest): ReadMessage | undefined {
    if (stopping) return void refuse(response, REFUSALS.stopping);
    const message = readEnvelope(body);
    if (message.kind === "batch") return void refuse(response, REFUSALS.batch);
    if (message.kind !== "invalid") return message;
    const { code, reason, idText } = message;
    const invalid = { ...REFUSALS.message, message: `Invalid request: ${reason}` };
    return void refuse(response, code === PARSE_ERROR ? REFUSALS.json : invalid, idText);
  }

  return {
    post(body, request) {
      const message = read(body, request);
      if (message === undefined) return;
      const era = isModern(message, request) ? modern : streamable;
      era.post(body, message, request);
    },
    get(request) {
      if (stopping) return refuse(request.response, REFUSALS.stopping);
      if (namesModernVersion(request)) return refuse(request.response, REFUSALS.postOnly);
      streamable.get(request);
    },
    delete(request) {
      if (namesModernVersion(request)) return refuse(request.response, REFUSALS.postOnly);
      streamable.delete(request);
    },
    openSse(request) {
      if (stopping) return refuse(request.response, REFUSALS.stopping);
      sse.get(request);
    },
    postMessage(body, sessionId, request) {
      const message = read(body, request);
      if (message !== undefined) sse.post(body, message, sessionId, request);
    },
    async drain(ms) {
      stopping = true;
      subscriptions.endAll();
      await answers.drain(ms);
    },
    counts: () => ({
      inFlight: answers.size,
      subscriptions: subscriptions.size,
      requests: answers.total,
    }),
  };
}
