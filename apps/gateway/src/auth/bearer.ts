import { createHash, timingSafeEqual } from "node:crypto";

/** Who is asking. Sessions are bound to the credential with which they were opened. */
export interface Caller {
  readonly credential: string;
}

const ANYONE: Caller = Object.freeze({ credential: "none" });

/** Tells the caller of a request by its Authorization header, or undefined for a wrong or missing token. */
export type Authenticate = (authorization: string | undefined) => Caller | undefined;

/**
 * Checks `Authorization: Bearer TOKEN`; without a token everyone is let in. The scheme is compared without case
 * (RFC 9110 §11.1), the token exactly and in a time that does not depend on where it differs.
 */
export function createAuthenticate(token: string | undefined): Authenticate {
  if (token === undefined) return () => ANYONE;
  const expected = digest(token);
  const caller: Caller = Object.freeze({ credential: expected.toString("base64url") });
  return (authorization) => {
    const given = /^bearer +([^ ]+) *$/i.exec(authorization ?? "")?.[1];
    // Digests have one length, so that not even the token's length shows in the time.
    return given !== undefined && timingSafeEqual(digest(given), expected) ? caller : undefined;
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
