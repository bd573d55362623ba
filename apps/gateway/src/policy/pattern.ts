/** Whether a rule's text means this value: exactly, or by what precedes a trailing `*`. */
export function matchesPattern(pattern: string, value: string): boolean {
  return pattern.endsWith("*") ? value.startsWith(pattern.slice(0, -1)) : value === pattern;
}

export function isExact(pattern: string): boolean {
  return !pattern.endsWith("*");
}

/**
 * Whether a path inside the URI leads upwards, however it is encoded: then the text that a rule matches is not where the
 * server goes.
 */
export function hasDotSegments(uri: string): boolean {
  return decodedSeparators(uri)
    .split(/[/\\?#]/)
    .some((segment) => segment === "." || segment === "..");
}

/** Decodes what hides a dot or a separator until nothing is hidden any more. */
function decodedSeparators(uri: string): string {
  const decoded = uri
    .replace(/%25/g, "%")
    .replace(/%2e/gi, ".")
    .replace(/%2f/gi, "/")
    .replace(/%5c/gi, "\\");
  return decoded === uri ? uri : decodedSeparators(decoded);
}
