import { isLoopback } from "../config/address.ts";
import { hostName } from "./host.ts";

/** What an Origin header means: no browser, a page that may send requests, one that may also read answers, or neither. */
export type OriginVerdict = "absent" | "loopback" | "listed" | "refused";

/** Makes the check of the Origin header. `null`, which sandboxed pages send, never passes. */
export function createOriginCheck(
  allowedOrigins: readonly string[],
): (origin: string | undefined) => OriginVerdict {
  const listed = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
  return (origin) => {
    if (origin === undefined) return "absent";
    if (origin === "null") return "refused";
    if (listed.has(origin.toLowerCase())) return "listed";
    const host = hostName(/^https?:\/\/(.*)$/i.exec(origin)?.[1]);
    return host !== undefined && isLoopback(host) ? "loopback" : "refused";
  };
}
