/** Whether a rule's text means this value: exactly, or by what precedes a trailing `*`. */
export function matchesPattern(pattern: string, value: string): boolean {
  return pattern.endsWith("*") ? value.startsWith(pattern.slice(0, -1)) : value === pattern;
}

export function isExact(pattern: string): boolean {
  return !pattern.endsWith("*");
}

/** Encodings inside each other that are undone. Nobody needs as many, and each costs a pass over the text. */
const MAX_ENCODINGS = 5;

/**
 * A URI as the most willing server reads it: with nothing encoded, without the characters that URL parsers drop, and with
 * one slash for any kind and number of them. Undefined for one that is encoded too many times to tell.
 */
export function plainUri(uri: string): string | undefined {
  let plain = uri;
  for (let round = 0; round < MAX_ENCODINGS; round++) {
    const decoded = decodeOnce(plain);
    if (decoded === plain) return tidy(plain);
    plain = decoded;
  }
  return undefined;
}

function decodeOnce(uri: string): string {
  return uri
    .replace(/%(?:25)+/g, "%")
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll("%", ""), "hex").toString(),
    );
}

function tidy(uri: string): string {
  return uri.replace(/[\u0000-\u001f\u007f]/g, "").replace(/[/\\]+/g, "/");
}

/**
 * Whether a path inside a URI leads upwards, or may do so, in whatever way it is written: then the text that a rule matches
 * is not where the server goes.
 */
export function leadsUpwards(uri: string): boolean {
  const plain = plainUri(uri);
  if (plain === undefined) return true;
  return plain.split(/[/?#]/).some((segment) => /^ *\.{1,2} *$/.test(segment));
}
