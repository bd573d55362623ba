import { REFUSALS } from "../errors.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { type Identity, initializeResult } from "../exchange/initialize.ts";
import type { Reply } from "../exchange/reply.ts";
import { MAX_ANSWER_BACKLOG_BYTES } from "../limits.ts";
import { errorMessage, type IdText, resultMessage } from "../response/message.ts";
import type { Answers } from "./answers.ts";
import type { EndpointRequest, ReadMessage, RequestMessage } from "./endpoint-request.ts";
import { openEventStream } from "./event-stream.ts";
import { readHandshake } from "./handshake.ts";
import { whenLearned } from "./learn.ts";
import { refuse } from "./refuse.ts";
import type { Session } from "./session.ts";
import type { Sessions } from "./sessions.ts";
import { isOtherFolder } from "./streamable.ts";

/** The HTTP+SSE transport of revision 2024-11-05: one stream for all answers, and an endpoint for messages. */
export interface Sse {
  /** Opens a stream and the session that lives as long as it does. */
  get(request: EndpointRequest): void;
  /** Takes a message for the session of this id. */
  post(
    body: Buffer,
    message: ReadMessage,
    sessionId: string | undefined,
    request: EndpointRequest,
  ): void;
}

export interface SseOptions {
  readonly sessions: Sessions;
  readonly exchange: Exchange;
  readonly answers: Answers;
  readonly identity: Identity;
}

export function createSse({ sessions, exchange, answers, identity }: SseOptions): Sse {
  function answer(body: Buffer, message: RequestMessage, session: Session) {
    const makeReply = (onOver: () => void) => replyOnStream(session, message.idText, onOver);
    if (message.method !== "initialize") return answers.answer(body, message, session, makeReply);
    const { version, capabilities } = readHandshake(body, message);
    session.capabilities = capabilities;
    const reply = makeReply(() => {});
    whenLearned(exchange, { message, inFlight: session.inFlight, reply }, session, () => {
      const result = initializeResult(version, exchange.capabilities(), identity);
      reply.finish(resultMessage(message.idText, result));
    });
  }

  return {
    get({ response, caller, cwd }) {
      const session = sessions.open("sse", { caller, cwd });
      if (session === undefined) return refuse(response, REFUSALS.sessionsBusy);
      const stream = openEventStream(
        response,
        () => sessions.end(session),
        MAX_ANSWER_BACKLOG_BYTES,
      );
      session.announcements = stream;
      stream.sendEvent("endpoint", `/messages?sessionId=${session.id}`);
    },
    post(body, message, sessionId, request) {
      const { response, caller } = request;
      const idText = message.kind === "request" ? message.idText : undefined;
      if (sessionId === undefined) return refuse(response, REFUSALS.messageSession, idText);
      const session = sessions.find(sessionId, "sse", caller);
      if (session === undefined) return refuse(response, REFUSALS.streamUnknown, idText);
      if (isOtherFolder(request, session)) return refuse(response, REFUSALS.cwdOther, idText);
      response.writeHead(202).end();
      if (message.kind === "request") answer(body, message, session);
      else if (message.kind === "notification")
        exchange.notification(body, message, session.inFlight);
      else exchange.answer(body, message, session);
    },
  };
}

/** Answers on the session's stream. A cancelled request gets no answer there. */
function replyOnStream(session: Session, id: IdText, onOver: () => void): Reply {
  let over = false;
  const close = () => {
    const first = !over;
    over = true;
    if (first) onOver();
    return first;
  };
  const finish = (json: Buffer) => {
    if (close()) session.send(json);
  };
  return {
    notify: (json) => !over && session.send(json),
    finish,
    fail: (code, message, data) => finish(errorMessage(id, code, message, data)),
    refuse: ({ code, message, data }) => finish(errorMessage(id, code, message, data)),
    end: () => void close(),
  };
}
