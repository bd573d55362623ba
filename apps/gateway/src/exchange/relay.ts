import type { JsonMember } from "@core/bounds";
import {
  CONNECTION_CLOSED,
  type Edit,
  INVALID_PARAMS,
  idKey,
  type MemberChanges,
  REQUEST_TIMEOUT,
  readEnvelope,
  rewriteEnvelope,
  splice,
  spliceInPlace,
  stringAt,
  textAt,
} from "@core/wire";
import { type Audit, NO_AUDIT, type Outcome } from "../audit/audit.ts";
import type { OutputLimits } from "../config/config.ts";
import { UpstreamError } from "../errors.ts";
import { MAX_TIMEOUT_RESETS } from "../limits.ts";
import type { Permitted } from "../policy/permitted.ts";
import type { Bound } from "../response/bound.ts";
import type { Scrub } from "../response/scrub.ts";
import { type Answer, badAnswer, findAnswerFault } from "../upstream/answer.ts";
import type { ClientSession } from "../upstream/client-session.ts";
import { withoutEnvelope } from "../upstream/envelope.ts";
import type { OutgoingRequest, PendingRequest, RequestClient } from "../upstream/request.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { ClientRequest } from "./client-request.ts";
import { askedLogLevel, declaredBy } from "./declared.ts";
import { type FollowUp, findInputFault } from "./input.ts";
import type { Reply } from "./reply.ts";

/** A request that may go to its server. */
interface Relayed {
  readonly permitted: Permitted;
  /** What is written anew in it beside its id and progress token, such as the tool's name. */
  readonly edits: readonly Edit[];
  /** What it is called by clients and by the server, for the audit. */
  readonly exposed: string;
  readonly upstream: string;
}

/** Reaches the server of a permitted request, and hands its answer back scrubbed and bounded. */
export type Relay = (client: ClientRequest, relayed: Relayed) => void;

export interface RelayOptions {
  readonly upstreams: ReadonlyMap<string, Upstream>;
  /** Milliseconds that a call of this server may take without an answer or progress. */
  timeoutOf(server: string): number;
  limitsOf(server: string): OutputLimits;
  /** The level that a session has set for log messages. */
  levelOf(session: ClientSession): string | undefined;
  readonly followUp: FollowUp;
  readonly scrub: Scrub;
  readonly bound: Bound;
  readonly audit: Audit;
  /** A monotonic clock in milliseconds. */
  now(): number;
}

/**
 * Bodies pass as the bytes that they came as; only names, ids and progress tokens are written anew, and of the answer what
 * is scrubbed or cut.
 */
export function createRelay(options: RelayOptions): Relay {
  const { upstreams, timeoutOf, limitsOf, levelOf, followUp, scrub, bound, audit, now } = options;

  /** The client may take as long for what it is asked as a call may that shows progress. */
  const follow = (first: Answer, call: Call) => {
    const { client, upstream, permitted, request } = call;
    const { server } = permitted;
    const waiting = new AbortController();
    call.waiting = waiting;
    const tooLate = new UpstreamError("TIMEOUT", `The client did not say what ${server} asks for`);
    const timer = setTimeout(() => waiting.abort(tooLate), request.timeoutMs * MAX_TIMEOUT_RESETS);
    const resend = (changes: MemberChanges) => {
      const build = (id: number) => withParams(request.build(id), changes);
      call.pending = upstream.request(permitted, client.session, { ...request, build });
      return call.pending.answer;
    };
    const asked = { server, client, requester: request.client, resend, signal: waiting.signal };
    return followUp(first, asked).finally(() => {
      clearTimeout(timer);
      // What the client is still asked for when one question has failed.
      waiting.abort(cancelled());
    });
  };

  return (client, relayed) => {
    const { message, session, inFlight, reply } = client;
    const { permitted, exposed, upstream: name } = relayed;
    const { server, rule } = permitted;
    const upstream = upstreams.get(server);
    const startedAt = now();
    const record = (outcome: Outcome, bytes = 0) => {
      if (audit === NO_AUDIT) return;
      audit.record({
        ...{ session: session.label, server, exposed, upstream: name, rule, outcome },
        ms: Math.round(now() - startedAt),
        bytes,
        cwd: session.cwd?.path,
      });
    };
    // Gone with a reload, between the policy's word and now.
    if (upstream === undefined) return reply.fail(CONNECTION_CLOSED, "Its server is gone");
    const fault = findInputFault(client);
    if (fault !== undefined) {
      record("refused");
      return reply.fail(INVALID_PARAMS, fault);
    }

    const request = outgoing(client, relayed.edits, timeoutOf(server), scrub, levelOf);
    const pending = upstream.request(permitted, session, request);
    const call: Call = { client, upstream, permitted, request, pending, waiting: undefined };
    const over = inFlight.add(idKey(message.id), () => {
      call.pending.cancel();
      call.waiting?.abort(cancelled());
      reply.end();
    });
    const deliver = (answer: Answer) => {
      const fault = findAnswerFault(answer);
      if (fault !== undefined) throw badAnswer(server, fault);
      const scrubbed = scrub.message(withId(answer, message.idText));
      const finish = (json: Buffer) => {
        record(answer.message.kind === "error" ? "error" : "ok", json.length);
        reply.finish(json);
      };
      const bounded = bound(scrubbed, limitsOf(server), session);
      return Buffer.isBuffer(bounded) ? finish(bounded) : bounded.then(finish);
    };
    pending.answer
      .then((answer) =>
        answer.asksForInput ? follow(answer, call).then(deliver) : deliver(answer),
      )
      .catch((error: unknown) => {
        record(outcomeOf(error));
        failWith(reply, error, scrub);
      })
      .finally(over);
  };
}

function cancelled(): UpstreamError {
  return new UpstreamError("CANCELLED", "The call was cancelled");
}

/** A call on its way, which may take several requests. */
interface Call {
  readonly client: ClientRequest;
  readonly upstream: Upstream;
  readonly permitted: Permitted;
  readonly request: ClientsRequest;
  pending: PendingRequest;
  /** While its client is asked for something. */
  waiting: AbortController | undefined;
}

type ClientsRequest = OutgoingRequest & { readonly client: RequestClient };

/** How the client of a request gets what belongs to it. */
function requesterOf(client: ClientRequest): RequestClient {
  const { session, reply, modern, ask, unask } = client;
  const tell = (json: Buffer) => reply.notify(json);
  if (modern === undefined) return { session, tell };
  return { session, tell, ask, unask, logLevel: { asked: askedLogLevel(client) } };
}

function withParams(request: Buffer, params: MemberChanges): Buffer {
  const message = readEnvelope(request);
  return message.kind === "request" ? rewriteEnvelope(request, message, { params }) : request;
}

/** A server's answer under the client's id. */
function withId({ bytes, message }: Answer, idText: string): Buffer {
  const { members, envelope } = message;
  // Three members and one of them the id: nothing is missing and nothing is too much for a strict reader.
  const isStrict = members.length === 3 && stringAt(bytes, envelope.jsonrpc) === "2.0";
  if (isStrict && envelope.id !== undefined) {
    const edits = [editOf(envelope.id, idText)];
    // The answer is nobody else's, and the gateway's own ids are longer than those of most clients.
    return spliceInPlace(bytes, edits) ? bytes : splice(bytes, edits);
  }
  return rewriteEnvelope(bytes, message, { id: idText, strict: true });
}

/** The client's request as its server is to get it. */
function outgoing(
  client: ClientRequest,
  ownEdits: readonly Edit[],
  timeoutMs: number,
  scrub: Scrub,
  levelOf: (session: ClientSession) => string | undefined,
): ClientsRequest {
  const { bytes, message, reply, modern } = client;
  const { id } = message.envelope;
  const token = message.meta.progressToken;
  const tokenText = token && textAt(bytes, token);
  return {
    build(ownId) {
      const edits = [editOf(id as JsonMember, String(ownId)), ...ownEdits];
      if (token !== undefined) edits.push(editOf(token, String(ownId)));
      const built = splice(bytes, edits);
      return modern === undefined ? built : withoutEnvelope(built);
    },
    timeoutMs,
    client: requesterOf(client),
    declare: () => declaredBy(client, levelOf),
    onProgress(note, { params }) {
      if (tokenText === undefined || params.progressToken === undefined) return;
      reply.notify(scrub.message(splice(note, [editOf(params.progressToken, tokenText)])));
    },
  };
}

/** Writes JSON text in the place of a member's value. */
export function editOf({ valueStart, valueEnd }: JsonMember, text: string): Edit {
  return { start: valueStart, end: valueEnd, text };
}

function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof UpstreamError)) return "failed";
  if (error.code === "CANCELLED") return "cancelled";
  return error.code === "TIMEOUT" ? "timeout" : "failed";
}

/** Answers with why a server gave no answer. */
export function failWith(reply: Reply, error: unknown, scrub: Pick<Scrub, "text">): void {
  reply.fail(errorCode(error), scrub.text(errorSentence(error)));
}

function errorCode(error: unknown): number {
  const late = error instanceof UpstreamError && error.code === "TIMEOUT";
  return late ? REQUEST_TIMEOUT : CONNECTION_CLOSED;
}

/** Anything but our own error is a fault of ours, whose text may hold anything. */
function errorSentence(error: unknown): string {
  return error instanceof UpstreamError ? error.message : "The gateway failed to relay the call";
}
