import { createScrubber, type NamedSecret } from "@core/config";

/** The values that this session resolved from references. Every text that leaves the adapter goes through it. */
export interface Secrets {
  add(values: readonly NamedSecret[]): void;
  /** The text with each known value, also where it stands encoded, replaced by a mark. */
  scrub(text: string): string;
  /** The same over a text that arrives in pieces. */
  stream(): { push(text: string): string; end(): string };
}

export function createSecrets(): Secrets {
  const known = new Map<string, NamedSecret>();
  let scrubber = createScrubber([]);
  return {
    add(values) {
      const before = known.size;
      for (const secret of values)
        for (const value of [secret.value, Buffer.from(secret.value).toString("base64")])
          known.set(value, { name: secret.name, value });
      if (known.size > before) scrubber = createScrubber([...known.values()]);
    },
    scrub: (text) => scrubber.scrub(text),
    stream: () => scrubber.stream(),
  };
}
