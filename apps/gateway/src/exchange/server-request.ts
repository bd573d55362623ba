import { METHOD_NOT_FOUND, type RelayMessage, rewriteEnvelope, stringAt, textAt } from "@core/wire";
import { MAX_QUOTED_CHARACTERS } from "../limits.ts";
import { errorMessage } from "../response/message.ts";
import type { Scrub } from "../response/scrub.ts";
import { ASKABLE } from "../upstream/askable.ts";
import type { ClientSession } from "../upstream/client-session.ts";
import type { FromServer, RequestClient } from "../upstream/request.ts";
import { createSlots } from "../upstream/slots.ts";

/** Takes what servers ask and tell by themselves to the one client that it can be for. */
export interface ServerRequests {
  /** `owner` is the session that the server runs for, where it runs for one. */
  ask(request: FromServer<"request">, owner: ClientSession | undefined): void;
  tell(notification: FromServer<"notification">, owner: ClientSession | undefined): void;
  /** Takes a client's answer back. */
  answer(
    bytes: Buffer,
    message: RelayMessage & { readonly kind: "response" | "error" },
    session: ClientSession,
  ): void;
  /** From now on the session gets log messages of this level and above. False for an unknown level. */
  setLevel(session: ClientSession, level: string): boolean;
  /** The level that the session has set. */
  levelOf(session: ClientSession): string | undefined;
}

/** RFC 5424, as MCP names them. */
const LEVELS = "debug info notice warning error critical alert emergency".split(" ");

interface Asked {
  readonly session: ClientSession;
  readonly request: FromServer<"request">;
  /** The server works on its call again. */
  resume(): void;
}

export function createServerRequests(scrub: () => Pick<Scrub, "message">): ServerRequests {
  const asked = createSlots<Asked>();
  const watched = new WeakSet<ClientSession>();
  const levels = new WeakMap<ClientSession, number>();

  const decline = ({ message, answer }: FromServer<"request">) => {
    const method = message.method.slice(0, MAX_QUOTED_CHARACTERS);
    answer(errorMessage(message.idText, METHOD_NOT_FOUND, `The gateway does not serve ${method}`));
  };
  /** What a session was asked for is declined when it ends. */
  const watch = (session: ClientSession) => {
    if (watched.has(session)) return;
    watched.add(session);
    session.onEnd(() => {
      for (const [number, one] of asked.entries())
        if (one.session === session) decline((asked.take(number) as Asked).request);
    });
  };

  /** A modern request that names no level wants no messages (MCP 2026-07-28, logging). */
  const leastLevel = ({ session, call }: Target) => {
    if (call?.logLevel === undefined) return levels.get(session) ?? 0;
    const { asked } = call.logLevel;
    return asked !== undefined && LEVELS.includes(asked) ? LEVELS.indexOf(asked) : Infinity;
  };

  return {
    ask(request, owner) {
      const { bytes, message } = request;
      const needed = Object.hasOwn(ASKABLE, message.method) && ASKABLE[message.method];
      const target = targetOf(request, owner);
      if (!needed || target === undefined) return decline(request);
      if (target.session.declaresPerRequest) {
        // Of several requests none can be told to be the one that it is about.
        if (!target.isOnlyCall || !askByAnswer(request, target.call, needed)) decline(request);
        return;
      }
      if (!target.session.capabilities.has(needed)) return decline(request);
      const resume = target.call === undefined ? () => {} : request.pause(target.call);
      const number = asked.add({ session: target.session, request, resume });
      watch(target.session);
      const json = scrub().message(rewriteEnvelope(bytes, message, { id: String(number) }));
      if (target.send(json)) return;
      asked.take(number);
      resume();
      decline(request);
    },
    tell(notification, owner) {
      const { bytes, message } = notification;
      const target = targetOf(notification, owner);
      if (message.method === "notifications/cancelled") {
        const id = message.params.requestId && textAt(bytes, message.params.requestId);
        if (id !== undefined) for (const { unask } of notification.waiting) unask?.(id);
        const found = asked
          .entries()
          .find(
            ([, { request }]) =>
              request.answer === notification.answer && request.message.idText === id,
          );
        if (found === undefined || id === undefined) return;
        const [number, { session, resume }] = found;
        asked.take(number);
        resume();
        const params = { set: { requestId: String(number) } };
        const json = rewriteEnvelope(bytes, message, { params });
        if (target?.session === session) target.send(json);
        else session.send(json);
      }
      if (message.method !== "notifications/message" || target === undefined) return;
      if (levelOf(bytes, message) >= leastLevel(target)) target.send(scrub().message(bytes));
    },
    answer(bytes, message, session) {
      const number = Number(message.id);
      const found = asked.get(number);
      if (found?.session !== session) return;
      asked.take(number);
      const { request, resume } = found;
      resume();
      request.answer(rewriteEnvelope(bytes, message, { id: request.message.idText }));
    },
    setLevel(session, level) {
      const index = LEVELS.indexOf(level);
      if (index === -1) return false;
      levels.set(session, index);
      return true;
    },
    levelOf: (session) => LEVELS[levels.get(session) ?? -1],
  };
}

interface Target {
  readonly session: ClientSession;
  /** One of its calls that the server works on. */
  readonly call: RequestClient | undefined;
  readonly isOnlyCall: boolean;
  send(json: Buffer): boolean;
}

/**
 * The one session that a server's own message can be for: its owner, or else the only one that waits for the server. It
 * gets it with what it waits for, and otherwise on its stream.
 */
function targetOf(
  { waiting }: FromServer<"request" | "notification">,
  owner: ClientSession | undefined,
): Target | undefined {
  const sessions = new Set(waiting.map(({ session }) => session));
  const session = owner ?? (sessions.size === 1 ? [...sessions][0] : undefined);
  if (session === undefined) return undefined;
  const calls = waiting.filter((one) => one.session === session);
  // Of several modern requests one that has asked for log messages.
  const call = calls.find(({ logLevel }) => logLevel?.asked !== undefined) ?? calls[0];
  const send = (json: Buffer) => call?.tell(json) || session.send(json);
  return { session, call, isOnlyCall: calls.length === 1, send };
}

/** Asks the client of a modern call; false if it cannot be asked. */
function askByAnswer(
  request: FromServer<"request">,
  call: RequestClient | undefined,
  capability: string,
): boolean {
  if (call?.ask === undefined) return false;
  const resume = request.pause(call);
  const answer = (json: Buffer) => {
    resume();
    request.answer(json);
  };
  if (call.ask({ ...request, answer }, capability)) return true;
  resume();
  return false;
}

/** A message of an unknown level is taken for the most urgent one. */
function levelOf(
  bytes: Buffer,
  { envelope }: RelayMessage & { readonly kind: "notification" },
): number {
  const level = envelope.params?.members?.find(({ key }) => key === "level");
  const index = LEVELS.indexOf(stringAt(bytes, level) ?? "");
  return index === -1 ? LEVELS.length - 1 : index;
}
