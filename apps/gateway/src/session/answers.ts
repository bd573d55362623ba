import { CONNECTION_CLOSED } from "@core/wire";
import { REFUSALS } from "../errors.ts";
import type { ClientRequest, StandAlone } from "../exchange/client-request.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { InFlight } from "../exchange/in-flight.ts";
import type { Reply } from "../exchange/reply.ts";
import { createSlots } from "../upstream/slots.ts";
import type { RequestMessage } from "./endpoint-request.ts";
import type { Session } from "./session.ts";
import type { Sessions } from "./sessions.ts";

/** All requests that wait for an answer, whichever way they came. */
export interface Answers {
  /** Has a request answered. `makeReply` gets what to run once the answer is given or nobody waits for it. */
  answer(
    bytes: Buffer,
    message: RequestMessage,
    session: Session,
    makeReply: (onOver: () => void) => Reply,
    modern?: { readonly inFlight: InFlight; readonly request: StandAlone },
  ): void;
  /** Waits for the answers, and gives those that are late an error. */
  drain(ms: number): Promise<void>;
  readonly size: number;
  /** How many requests there were in all. */
  readonly total: number;
}

export function createAnswers(exchange: Exchange, sessions: Pick<Sessions, "touch">): Answers {
  const open = createSlots<Reply>();
  let total = 0;
  let onDrained = () => {};

  return {
    answer(bytes, message, session, makeReply, modern) {
      const reply = makeReply(() => {
        open.take(number);
        sessions.touch(session);
        if (open.size === 0) onDrained();
      });
      const number = open.add(reply);
      total++;
      const client: ClientRequest = {
        bytes,
        message,
        session,
        inFlight: modern?.inFlight ?? session.inFlight,
        reply,
        modern: modern?.request,
        told(revision) {
          session.toldRevision = revision;
        },
      };
      exchange.request(client);
    },
    async drain(ms) {
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
    get size() {
      return open.size;
    },
    get total() {
      return total;
    },
  };
}
