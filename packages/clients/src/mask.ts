import { createScrubber, isCredentialHeader, type NamedSecret } from "@core/config";

/**
 * Makes a function that replaces credentials in a text: the `secrets`, and of the `documents` every string below a key
 * that names a credential, whoever wrote it. What only refers to a credential stays readable.
 */
export function createMask(
  documents: readonly unknown[],
  secrets: readonly string[] = [],
): (text: string) => string {
  const named = secrets.map((value) => ({ name: "secret", value }));
  const { scrub } = createScrubber([...named, ...documents.flatMap(findCredentials)]);
  return scrub;
}

function findCredentials(value: unknown): NamedSecret[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
    if (typeof part !== "string") return findCredentials(part);
    return isCredential(name, part) ? [{ name, value: part.replace(SCHEME, "") }] : [];
  });
}

const SCHEME = /^(?:basic|bearer) +/i;

/** The clients' ways of naming a variable: `${V}`, `${env:V}`, `$V`, `{env:V}`, `${{ secrets.V }}`. */
const REFERENCE = /^(?:\$\{(?:env:)?\w+\}|\$[A-Za-z_]\w*|\{env:\w+\}|\$\{\{ secrets\.\w+ \}\})$/;

/** Keys such as `bearer_token_env_var`, whose value is the name of a variable. */
const NAMES_VARIABLE = /env(?:_?var)?$/i;

function isCredential(name: string, value: string): boolean {
  if (!isCredentialHeader(name) || NAMES_VARIABLE.test(name)) return false;
  return !REFERENCE.test(value.replace(SCHEME, ""));
}
