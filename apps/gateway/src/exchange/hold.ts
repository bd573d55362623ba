import { idKey } from "@core/wire";
import type { ClientRequest } from "./client-request.ts";

/** What becomes of a request that waited: exactly one of these runs. */
export interface Held {
  onReady(): void;
  onFailed(error: unknown): void;
  /** The client took it back meanwhile, or left; then it must not be sent. */
  onCancelled?(): void;
}

/** Has a request wait for what must be known before it may be sent. */
export function hold(
  { message, inFlight, reply }: Pick<ClientRequest, "message" | "inFlight" | "reply">,
  awaited: Promise<unknown>,
  { onReady, onFailed, onCancelled = () => {} }: Held,
): void {
  let isCancelled = false;
  const over = inFlight.add(idKey(message.id), () => {
    isCancelled = true;
    reply.end();
    onCancelled();
  });
  awaited
    .finally(over)
    .then(() => {
      if (!isCancelled) onReady();
    })
    .catch((error: unknown) => {
      if (!isCancelled) onFailed(error);
    });
}
