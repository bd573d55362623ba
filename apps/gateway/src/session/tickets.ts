import { createHmac, timingSafeEqual } from "node:crypto";
import type { Caller } from "../auth/bearer.ts";
import type { AllowedCwd } from "../auth/cwd.ts";
import { SESSION_BOOT_BYTES, SESSION_ID_BYTES, SESSION_MAC_BYTES } from "../limits.ts";

/** What a session's id is bound to. */
interface TicketFor {
  readonly caller: Caller;
  readonly cwd: AllowedCwd | undefined;
  /** The negotiated revision. */
  readonly version?: string | undefined;
}

/**
 * Session ids that outlive the process: many clients never recover from losing a session, so that one of an earlier start is
 * taken up again. An id is a start's mark, 256 random bits, and a code over both and what the id is bound to, under a key that
 * only the owner of the state folder can read.
 */
export interface Tickets {
  issue(bound: TicketFor): string;
  /** Whether an earlier start has issued this id for the same credential, revision and folder. */
  isEarlier(id: string, bound: TicketFor): boolean;
}

export interface TicketsOptions {
  readonly key: Uint8Array;
  randomBytes(count: number): Buffer;
}

const HEAD_BYTES = SESSION_BOOT_BYTES + SESSION_ID_BYTES;

export function createTickets({ key, randomBytes }: TicketsOptions): Tickets {
  const boot = randomBytes(SESSION_BOOT_BYTES);
  const sign = (head: Uint8Array, { caller, cwd, version = "" }: TicketFor) =>
    createHmac("sha256", key)
      .update(head)
      // No part holds NUL, so that no two triples are signed alike.
      .update([caller.credential, version, cwd?.path ?? ""].join("\0"))
      .digest()
      .subarray(0, SESSION_MAC_BYTES);
  return Object.freeze({
    issue(bound: TicketFor) {
      const head = Buffer.concat([boot, randomBytes(SESSION_ID_BYTES)]);
      return Buffer.concat([head, sign(head, bound)]).toString("base64url");
    },
    isEarlier(id: string, bound: TicketFor) {
      const bytes = Buffer.from(id, "base64url");
      // Decoding forgives what encoding would not write: one id has one form.
      if (bytes.length !== HEAD_BYTES + SESSION_MAC_BYTES || bytes.toString("base64url") !== id)
        return false;
      // An id of this start that is not in the table has ended.
      if (bytes.subarray(0, SESSION_BOOT_BYTES).equals(boot)) return false;
      const code = sign(bytes.subarray(0, HEAD_BYTES), bound);
      return timingSafeEqual(bytes.subarray(HEAD_BYTES), code);
    },
  });
}
