import type { ClientRequest } from "../exchange/client-request.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { hold } from "../exchange/hold.ts";
import type { Session } from "./session.ts";

/** Answers a client's first request once it is known what the gateway offers, which is nearly always at once. */
export function whenLearned(
  exchange: Pick<Exchange, "learn">,
  request: Pick<ClientRequest, "message" | "inFlight" | "reply">,
  session: Session | undefined,
  answer: () => void,
): void {
  const learning = exchange.learn(session);
  if (learning === undefined) answer();
  else hold(request, learning, { onReady: answer, onFailed: answer });
}
