import type { SearchScope } from "../arguments/search.ts";
import { AiosError } from "../errors.ts";

/** One of the parts of a folder that are searched, each a corpus of its own. */
export type Scope = Exclude<SearchScope, "all">;

/** What each mode serves, in the order of search and of omissions (field §4.2). */
const SERVED = Object.freeze({
  shared: [
    "sessions",
    "context",
    "memory",
    "vault",
    "decisions",
    "skills",
    "references",
    "plugins",
  ],
  project: ["sessions", "memory", "projects"],
} as const satisfies Record<string, readonly Scope[]>);

/** The scopes that a search looks into; throws `AiosError` of kind input for one that the mode does not serve (S10). */
export function selectScopes(asked: SearchScope, mode: "shared" | "project"): readonly Scope[] {
  const served: readonly Scope[] = SERVED[mode];
  if (asked === "all") return served;
  if (served.includes(asked)) return [asked];
  if (mode === "shared") throw new AiosError("SCOPE_NEEDS_PROJECT");
  throw new AiosError("SCOPE_NOT_SERVED", { rule: ["all", ...served].join(", ") });
}
