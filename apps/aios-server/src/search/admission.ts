/** What one scope asks of a budget, and how much of that is spent already and cannot be given back. */
export interface Claim {
  readonly demand: number;
  readonly spent?: number;
}

/** What each of several claimants may have whatever the others ask for: half of the budget, in equal parts. */
export function protectedShare(total: number, claimants: number): number {
  return Math.floor(total / 2 / Math.max(claimants, 1));
}

/**
 * Divides a budget among scopes, each of which gets all that it asks for or nothing (field §4.4): up to its protected
 * share it is sure of it, the rest comes from what is left, first come first served; what those who went away empty
 * had reserved is then offered once more. Never grants more than there is.
 */
export function admitWhole(claims: readonly Claim[], total: number): readonly boolean[] {
  const share = protectedShare(total, claims.length);
  const reserved = claims.map(({ demand }) => Math.min(demand, share));
  let pool = total - reserved.reduce((sum, part) => sum + part, 0);
  const admitted = claims.map(({ demand }, at) => {
    const more = demand - reserved[at]!;
    if (more > pool) return false;
    pool -= more;
    return true;
  });
  for (const [at, { spent = 0 }] of claims.entries())
    if (!admitted[at]) pool += reserved[at]! - spent;
  return claims.map(({ demand, spent = 0 }, at) => {
    if (admitted[at]) return true;
    if (demand - spent > pool) return false;
    pool -= demand - spent;
    return true;
  });
}

/** A budget that several claimants draw from one after the other, before anybody knows what the next will need. */
export interface Turns {
  /** The most that the next one may use. */
  next(): number;
  /** What it did use; what it had left over is there for the ones after it. */
  settle(used: number): void;
}

/** Makes a budget for so many claimants, each of which is sure of its protected share. */
export function createTurns(total: number, claimants: number): Turns {
  const share = protectedShare(total, claimants);
  let pool = total - share * claimants;
  return {
    next: () => share + pool,
    settle(used) {
      pool += share - used;
    },
  };
}
