import { inspect } from "node:util";

/** What a secret looks like wherever it is printed. */
const MARK = "[secret]";

declare const brand: unique symbol;

/** A string that prints as `[secret]` in templates, `String()`, JSON and `util.inspect`; see revealSecret. */
export interface Secret {
  readonly [brand]: "secret";
  toString(): string;
  toJSON(): string;
}

// The values lie outside the objects, so that no way of listing, copying or serializing an object reaches one.
const values = new WeakMap<object, string>();

const appearance = Object.freeze({
  toString: () => MARK,
  toJSON: () => MARK,
  [Symbol.toPrimitive]: () => MARK,
  [inspect.custom]: () => MARK,
});

export function createSecret(value: string): Secret {
  const secret = Object.freeze(Object.create(appearance)) as Secret;
  values.set(secret, value);
  return secret;
}

/** The text itself. Call it where the text leaves the process, and keep the result in no longer-lived place. */
export function revealSecret(secret: Secret): string {
  const value = values.get(secret);
  if (value === undefined) throw new TypeError("revealSecret takes what createSecret returned");
  return value;
}
