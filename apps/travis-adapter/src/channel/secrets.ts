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
        for (const value of formsOf(secret.value)) known.set(value, { name: secret.name, value });
      if (known.size > before) scrubber = createScrubber([...known.values()]);
    },
    scrub: (text) => scrubber.scrub(text),
    stream: () => scrubber.stream(),
  };
}

/** As it is, encoded as for a Basic header, and as its bytes look in a file that is read as Latin-1. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  return [value, bytes.toString("base64"), bytes.toString("latin1")];
}
