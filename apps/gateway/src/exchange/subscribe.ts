import { LimitError } from "@core/bounds";
import { CONNECTION_CLOSED, stringAt } from "@core/wire";
import type { Audit, Outcome } from "../audit/audit.ts";
import type { PermittedRead } from "../policy/resource.ts";
import { resultMessage } from "../response/message.ts";
import type { Scrub } from "../response/scrub.ts";
import { isSpillUri } from "../response/spills.ts";
import type { ClientSession } from "../upstream/client-session.ts";
import { SubscriptionError } from "../upstream/resource-updates.ts";
import type { ClientRequest } from "./client-request.ts";
import type { RecordDenied } from "./denial.ts";
import { hold } from "./hold.ts";
import { within } from "./list.ts";
import { refuseResource } from "./read.ts";
import { failWith } from "./relay.ts";
import type { Reply } from "./reply.ts";
import type { SessionSubscribers } from "./session-subscribers.ts";
import type { Subscriber, Subscribers } from "./subscribers.ts";

/** Lets clients subscribe to what they may read, each in the words of its revision. */
export interface Subscribing {
  /** `resources/subscribe` */
  subscribe(client: ClientRequest): void;
  /** `resources/unsubscribe` */
  unsubscribe(client: ClientRequest): void;
  /** For a stream of a modern client: which of these resources it will hear of, known within the time for lists. */
  listen(subscriber: Subscriber, uris: readonly string[]): Promise<readonly string[]>;
}

export interface SubscribingOptions {
  /** The predicate of reading. */
  permit(uri: string): PermittedRead | undefined;
  readonly subscribers: Pick<Subscribers, "add" | "remove">;
  readonly sessions: SessionSubscribers;
  /** Milliseconds that the beginning of a stream waits for each server. */
  waitFor(server: string): number;
  readonly denied: RecordDenied;
  readonly audit: Audit;
  readonly scrub: Pick<Scrub, "text">;
  /** A monotonic clock in milliseconds. */
  now(): number;
}

export function createSubscribing(options: SubscribingOptions): Subscribing {
  const { permit, subscribers, sessions, waitFor, denied, audit, scrub, now } = options;

  const permitted = (uri: string | undefined) =>
    uri === undefined || isSpillUri(uri) ? undefined : permit(uri);

  const startRecord = (session: ClientSession, { server, rule, uri }: PermittedRead) => {
    const startedAt = now();
    return (outcome: Outcome) =>
      audit.record({
        ...{ session: session.label, server, exposed: uri, upstream: uri, rule, outcome },
        ms: Math.round(now() - startedAt),
        bytes: 0,
        cwd: session.cwd?.path,
      });
  };

  return {
    subscribe(client) {
      const { bytes, message, session, reply } = client;
      const uri = stringAt(bytes, message.params.uri);
      const read = permitted(uri);
      if (read === undefined) {
        denied(client, uri);
        return refuseResource(client, uri);
      }
      const record = startRecord(session, read);
      const subscriber = sessions.of(session);
      const { opened, isNew } = subscribers.add(subscriber, read);
      hold(client, opened, {
        onReady() {
          record("ok");
          reply.finish(resultMessage(message.idText, "{}"));
        },
        onFailed(error) {
          record(outcomeOf(error));
          failSubscription(reply, error, scrub);
        },
        onCancelled() {
          record("cancelled");
          if (isNew) subscribers.remove(subscriber, read.uri);
        },
      });
    },
    unsubscribe({ bytes, message, session, reply }) {
      const uri = stringAt(bytes, message.params.uri);
      if (uri !== undefined) {
        subscribers.remove(sessions.of(session), uri);
        sessions.forget(session, uri);
      }
      // Also where there was nothing to end, so that it tells nothing of what is hidden.
      reply.finish(resultMessage(message.idText, "{}"));
    },
    async listen(subscriber, uris) {
      const { session } = subscriber;
      const openings = uris.map(async (uri) => {
        const read = permitted(uri);
        if (read === undefined) {
          denied({ session }, uri);
          return [];
        }
        let isOpen = false;
        const record = startRecord(session, read);
        const opened = subscribers.add(subscriber, read).opened.then(
          () => {
            isOpen = true;
            record("ok");
          },
          (error: unknown) => record(outcomeOf(error)),
        );
        await within(opened, waitFor(read.server));
        if (isOpen) return [uri];
        subscribers.remove(subscriber, uri);
        return [];
      });
      return (await Promise.all(openings)).flat();
    },
  };
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof LimitError) return "refused";
  return error instanceof SubscriptionError ? "error" : "failed";
}

/** A server's refusal is passed on as its own, and a limit says how much it allows. */
function failSubscription(reply: Reply, error: unknown, scrub: Pick<Scrub, "text">) {
  if (error instanceof SubscriptionError)
    return reply.fail(error.rpcCode, scrub.text(error.message));
  if (!(error instanceof LimitError)) return failWith(reply, error, scrub);
  const allowed = `at most ${error.maximum} ${error.limit} are kept: unsubscribe from one first`;
  reply.fail(CONNECTION_CLOSED, `Cannot subscribe: ${allowed}`);
}
