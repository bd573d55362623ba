import type { Audit } from "../audit/audit.ts";
import { MAX_QUOTED_CHARACTERS } from "../limits.ts";
import type { Scrub } from "../response/scrub.ts";
import type { ClientRequest } from "./client-request.ts";

/** Why something was not let through, and of which server it is; where no rule names it there is neither. */
interface Denial {
  readonly server: string;
  readonly rule: string;
  readonly upstream?: string;
  readonly outcome?: "denied" | "refused" | "failed" | "cancelled";
}

/** Writes into the audit that a client was not let through. */
export type RecordDenied = (
  client: Pick<ClientRequest, "session">,
  exposed: string | undefined,
  denial?: Denial,
) => void;

export function createRecordDenied(audit: Audit, scrub: Pick<Scrub, "text">): RecordDenied {
  return ({ session }, exposed = "", denial) =>
    audit.record({
      session: session.label,
      server: denial?.server ?? null,
      // The client's own words: a secret may be among them.
      exposed: scrub.text(exposed.slice(0, MAX_QUOTED_CHARACTERS)),
      upstream: denial?.upstream ?? null,
      rule: denial?.rule ?? "unlisted",
      outcome: denial?.outcome ?? "denied",
      ms: 0,
      bytes: 0,
      cwd: session.cwd?.path,
    });
}
