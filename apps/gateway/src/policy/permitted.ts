declare const permitted: unique symbol;

/** What the policy lets through to a server. Only this room makes one, and an upstream takes nothing else. */
export interface Permitted {
  readonly [permitted]: true;
  readonly server: string;
  /** The rule that lets it through, such as `allow[0]`. */
  readonly rule: string;
}

/** For the policy alone: gives the mark that nothing else can give. */
export function permit<T extends object>(value: T): T & Permitted {
  return Object.freeze(value) as T & Permitted;
}
