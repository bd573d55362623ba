import { requireAmount } from "./limit.ts";

/** The answer of a take: granted, or the first limit that it would have crossed. */
export type Taken<Name extends string> =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly limit: Name;
      readonly maximum: number;
      /** What the use would have become. */
      readonly actual: number;
    };

/** Several budgets that many takes draw from. */
export interface Meter<Name extends string> {
  /** Takes all the amounts or none of them. */
  take(amounts: { readonly [name in Name]?: number }): Taken<Name>;
  /** What is still left of a budget. */
  left(name: Name): number;
  /** What was taken from a budget. */
  used(name: Name): number;
}

/** Makes a meter from names and maxima: `createMeter({ bytes: 16 * MIB, files: 512 })`. */
export function createMeter<Name extends string>(
  maxima: Readonly<Record<Name, number>>,
): Meter<Name> {
  const budgets = new Map<string, { readonly maximum: number; used: number }>();
  for (const [name, maximum] of Object.entries<number>(maxima))
    budgets.set(name, { maximum: requireAmount(name, maximum), used: 0 });

  function budgetOf(name: string) {
    const budget = budgets.get(name);
    if (budget === undefined) throw new RangeError(`this meter has no budget ${name}`);
    return budget;
  }

  function take(amounts: { readonly [name in Name]?: number }): Taken<Name> {
    const wanted = Object.entries<number | undefined>(amounts).map(([name, amount]) => ({
      name: name as Name,
      budget: budgetOf(name),
      amount: requireAmount(name, amount ?? 0),
    }));
    for (const { name, budget, amount } of wanted) {
      const actual = budget.used + amount;
      if (actual > budget.maximum)
        return { ok: false, limit: name, maximum: budget.maximum, actual };
    }
    for (const { budget, amount } of wanted) budget.used += amount;
    return { ok: true };
  }

  return {
    take,
    left: (name) => budgetOf(name).maximum - budgetOf(name).used,
    used: (name) => budgetOf(name).used,
  };
}
