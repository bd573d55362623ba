/** One source of named entries, for example one configuration file. */
export interface Layer<T> {
  readonly origin: string;
  readonly entries: Readonly<Record<string, T>>;
}

/** The entry that won, where it came from, and the origins whose entries of this name it hides, lowest first. */
export interface LayeredEntry<T> {
  readonly value: T;
  readonly origin: string;
  readonly shadowed: readonly string[];
}

/**
 * Layers from lowest to highest precedence as one table. A higher entry replaces a lower one of the same name as a
 * whole: fields are never mixed, so an entry that points elsewhere cannot inherit another one's credentials. Names
 * keep the order in which they first appear.
 */
export function mergeLayers<T>(layers: readonly Layer<T>[]): Map<string, LayeredEntry<T>> {
  const merged = new Map<string, LayeredEntry<T>>();
  for (const { origin, entries } of layers) {
    for (const [name, value] of Object.entries(entries)) {
      const hidden = merged.get(name);
      const shadowed = hidden === undefined ? [] : [...hidden.shadowed, hidden.origin];
      merged.set(name, Object.freeze({ value, origin, shadowed: Object.freeze(shadowed) }));
    }
  }
  return merged;
}
