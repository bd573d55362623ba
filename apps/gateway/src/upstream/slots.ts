/** A table of things that come and go all the time, by numbers that are never given twice. */
export interface Slots<T> {
  /** Keeps a thing and tells its number, 1 or more. */
  add(thing: T): number;
  get(number: number): T | undefined;
  /** Removes a thing; undefined if it is gone already. */
  take(number: number): T | undefined;
  /** What is kept now, with its numbers. */
  entries(): [number: number, thing: T][];
  readonly size: number;
}

/** Distance of two numbers of one slot, and so the most things at a time. */
const STRIDE = 2 ** 20;

/**
 * A Map would do, but for one thing (measured on V8): each time it grows or shrinks it leaves its old table behind, and
 * once one of those is in the old generation they hold on to each other and to every finished request until the next
 * full collection. Here a slot is used again, under a new number.
 */
export function createSlots<T>(): Slots<T> {
  const slots: ({ number: number; thing: T } | undefined)[] = [];
  const numbers: number[] = [];
  const free: number[] = [];

  const find = (number: number) => {
    const found = slots[number % STRIDE];
    return found?.number === number ? found : undefined;
  };
  return {
    add(thing) {
      const slot = free.pop() ?? slots.length;
      const number = (numbers[slot] ?? slot) + STRIDE;
      numbers[slot] = number;
      slots[slot] = { number, thing };
      return number;
    },
    get: (number) => find(number)?.thing,
    take(number) {
      const found = find(number);
      if (found === undefined) return undefined;
      const slot = number % STRIDE;
      slots[slot] = undefined;
      free.push(slot);
      return found.thing;
    },
    entries: () => slots.flatMap((slot) => (slot ? [[slot.number, slot.thing]] : [])),
    get size() {
      return slots.length - free.length;
    },
  };
}
