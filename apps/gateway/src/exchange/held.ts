import {
  INVALID_PARAMS,
  membersOf,
  readEnvelope,
  rewriteEnvelope,
  splice,
  stringAt,
  textAt,
} from "@core/wire";
import { MAX_HELD_MS } from "../limits.ts";
import { errorMessage, resultMessage } from "../response/message.ts";
import type { FromServer } from "../upstream/request.ts";
import type { ClientRequest } from "./client-request.ts";
import { declaredCapabilities } from "./declared.ts";
import { createInFlight } from "./in-flight.ts";
import { editOf } from "./relay.ts";
import type { Reply } from "./reply.ts";

/**
 * Calls of modern clients that go on at a server with sessions while the client is asked for something. Such a server asks
 * by a request, which a modern client does not take: its call is answered by the question (MCP 2026-07-28, multi round-trip
 * requests), and when it comes back with what was asked for, it gets what has become of the call. Nothing is sent twice.
 */
export interface HeldCalls {
  /** Has a modern request served, or lets it go on with the call that its state names. */
  serve(client: ClientRequest, handler: (client: ClientRequest) => void): void;
}

export interface HeldCallsOptions {
  /** A text that nobody can guess. */
  newState(): string;
  /** Takes secrets out of what is asked. */
  scrub(message: Buffer): Buffer;
}

type Question = FromServer<"request">;

interface HeldCall {
  readonly client: ClientRequest;
  /** The questions that wait for an answer, by the keys under which the client is asked. */
  readonly questions: ReadonlyMap<string, Question>;
  /** Goes on with the request of the client that has come back. */
  resume(client: ClientRequest): void;
  answer(key: string, json: Buffer): void;
}

export function createHeldCalls({ newState, scrub }: HeldCallsOptions): HeldCalls {
  const byState = new Map<string, HeldCall>();
  /** States of our own begin so; all others are a server's, which may be another gateway. */
  const prefix = `wraptool:${newState()}:`;

  function come(client: ClientRequest, state: string): void {
    const held = byState.get(state);
    const isSame =
      held?.client.session === client.session &&
      held.client.message.method === client.message.method &&
      nameOf(held.client) === nameOf(client);
    if (held === undefined || !isSame) {
      client.reply.fail(INVALID_PARAMS, "What this requestState stands for is over");
      return;
    }
    byState.delete(state);
    for (const { key, json } of readResponses(client))
      if (held.questions.has(key)) held.answer(key, json);
    held.resume(client);
  }

  /** The request with a way back that outlives it. */
  function holdable(first: ClientRequest): ClientRequest {
    const questions = new Map<string, Question>();
    const inFlight = createInFlight();
    let current: ClientRequest | undefined = first;
    /** What has become of the call while nobody waited for it. */
    let outcome: ((client: ClientRequest) => void) | undefined;
    let asked = 0;
    let release = attach(first);

    function attach(client: ClientRequest): () => void {
      return client.inFlight.add(`call ${client.message.idText}`, cancel);
    }
    function cancel(): void {
      inFlight.cancelAll();
      for (const [key, question] of questions) {
        questions.delete(key);
        question.answer(
          errorMessage(question.message.idText, INVALID_PARAMS, "The client has not answered"),
        );
      }
    }
    const settle = (give: (client: ClientRequest) => void) => {
      release();
      if (current === undefined) outcome = give;
      else give(current);
    };

    /** Answers the request by what is asked, and keeps its call until it comes back. */
    function askByAnswer(client: ClientRequest): void {
      const state = prefix + newState();
      release();
      current = undefined;
      const giveUp = () => {
        if (byState.delete(state)) cancel();
      };
      const timer = setTimeout(giveUp, MAX_HELD_MS);
      // It keeps its session, as a call does, and ends with it.
      const leave = client.session.inFlight?.add(state, giveUp);
      release = () => {
        clearTimeout(timer);
        leave?.();
      };
      byState.set(state, { client: first, questions, resume, answer });
      const asking = [...questions].map(([key, question]) => `"${key}":${textOf(question)}`);
      const result = `{"resultType":"input_required","inputRequests":{${asking.join()}},"requestState":"${state}"}`;
      client.reply.finish(scrub(resultMessage(client.message.idText, result)));
    }
    function answer(key: string, json: Buffer): void {
      const question = questions.get(key);
      questions.delete(key);
      question?.answer(resultMessage(question.message.idText, json));
    }
    function resume(client: ClientRequest): void {
      release();
      current = client;
      release = attach(client);
      if (outcome !== undefined) settle(outcome);
      else if (questions.size > 0) askByAnswer(client);
    }

    const reply: Reply = {
      notify: (json) => {
        const note = current && forClient(json, current, first);
        return note !== undefined && current?.reply.notify(note) === true;
      },
      finish: (json) => settle((client) => client.reply.finish(withId(json, client))),
      fail: (...error) => settle((client) => client.reply.fail(...error)),
      refuse: (refusal) => settle((client) => client.reply.refuse(refusal)),
      end: () => settle((client) => client.reply.end()),
    };
    return {
      ...first,
      inFlight,
      reply,
      ask(question, capability) {
        if (outcome !== undefined) return false;
        if (!declaredCapabilities(first).some(({ name }) => name === capability)) return false;
        questions.set(String(++asked), question);
        // What is asked while the client is away it hears of when it comes back.
        if (current !== undefined) askByAnswer(current);
        return true;
      },
      unask(idText) {
        for (const [key, { message }] of questions)
          if (message.idText === idText) questions.delete(key);
      },
    };
  }

  return {
    serve(client, handler) {
      const state = stateOf(client);
      if (state?.startsWith(prefix)) come(client, state);
      else handler(holdable(client));
    },
  };
}

function paramOf({ bytes, message }: ClientRequest, name: string) {
  return membersOf(bytes, message.envelope.params).find(({ key }) => key === name);
}

function stateOf(client: ClientRequest): string | undefined {
  return stringAt(client.bytes, paramOf(client, "requestState"));
}

/** What the request is about: the name of a tool or prompt, or a URI. */
function nameOf({ bytes, message }: ClientRequest): string | undefined {
  return stringAt(bytes, message.params.name ?? message.params.uri);
}

function readResponses(client: ClientRequest) {
  const { bytes } = client;
  return membersOf(bytes, paramOf(client, "inputResponses"))
    .filter(({ kind }) => kind === "object")
    .map(({ key, valueStart, valueEnd }) => ({ key, json: bytes.subarray(valueStart, valueEnd) }));
}

/** The question as the bytes that it came as, without its id. */
function textOf({ bytes, message: { envelope, method } }: Question): string {
  const params = envelope.params === undefined ? "{}" : textAt(bytes, envelope.params);
  return `{"method":${JSON.stringify(method)},"params":${params}}`;
}

/** An answer under the id of the request that has come back. */
function withId(json: Buffer, { message }: ClientRequest): Buffer {
  const answer = readEnvelope(json);
  const hasId = answer.kind === "response" || answer.kind === "error";
  return hasId ? rewriteEnvelope(json, answer, { id: message.idText }) : json;
}

/** A notification of progress under the token of the request that has come back; undefined if that wants none. */
function forClient(json: Buffer, client: ClientRequest, first: ClientRequest): Buffer | undefined {
  if (client === first) return json;
  const note = readEnvelope(json);
  const token = note.kind === "notification" ? note.params.progressToken : undefined;
  if (token === undefined) return json;
  const wanted = client.message.meta.progressToken;
  return wanted && splice(json, [editOf(token, textAt(client.bytes, wanted))]);
}
