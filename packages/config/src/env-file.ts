import { ConfigError } from "./error.ts";
import { decodeSource, readBytes, type SourceOptions } from "./source.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * The variables of an env file: one `NAME=value` a line (LF or CRLF), blank lines, and comments that begin with `#`. The
 * value is everything after the first `=`, literally: nothing is expanded, unquoted or trimmed. Anything else, and a
 * name that stands twice, is a ConfigError with its line.
 */
export function parseEnvFile(source: string | Uint8Array, file: string): Record<string, string> {
  const variables = new Map<string, string>();
  const lines = decodeSource(source, file).split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const place = { file, line: index + 1, column: 1 };
    const { name, value } = splitLine(line, place);
    if (variables.has(name))
      throw new ConfigError("DUPLICATE_KEY", "this name stands twice; keep one", {
        ...place,
        field: name,
      });
    variables.set(name, value);
  }
  return Object.fromEntries(variables);
}

/** The variables of an env file that nobody but its owner may use; anything looser is a ConfigError OPEN_MODE. */
export function readEnvFile(
  path: string,
  options: Omit<SourceOptions, "ownerOnly"> = {},
): Record<string, string> {
  return parseEnvFile(readBytes(path, { ...options, ownerOnly: true }), path);
}

type LinePlace = { readonly file: string; readonly line: number; readonly column: number };

// A line that cannot be read may be a secret on its own, so no error shows any of it.
function splitLine(line: string, place: LinePlace): { name: string; value: string } {
  const equals = line.indexOf("=");
  if (equals === -1) throw new ConfigError("SYNTAX", "must read NAME=value", place);
  const name = line.slice(0, equals);
  if (/^\s*export\s/.test(name))
    throw new ConfigError(
      "SYNTAX",
      "must read NAME=value without export; no shell reads it",
      place,
    );
  if (!NAME.test(name) || name === "__proto__")
    throw new ConfigError(
      "SYNTAX",
      "must begin with a name of letters, digits and underscores, and = right after it",
      place,
    );
  const value = line.slice(equals + 1);
  if (value.includes("\0"))
    throw new ConfigError("INVALID_VALUE", "holds a NUL, which no variable can", {
      ...place,
      field: name,
    });
  return { name, value };
}
