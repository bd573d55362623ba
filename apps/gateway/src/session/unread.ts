import type { ServerResponse } from "node:http";
import { UNREAD_MS } from "../limits.ts";

/**
 * Cuts the connection once its client takes nothing of what waits for it any more: an answer that nobody reads would stay in
 * memory for as long as the client likes. One that reads slowly gets all of it, because the socket looks at what is left.
 */
export function cutWhenUnread(response: ServerResponse, ms = UNREAD_MS): void {
  response.setTimeout(ms, () => response.destroy());
}
