import { posix } from "node:path";

/** One `--mount` of `run`: its text, and the path in the container that it takes. */
export interface Mount {
  readonly target: string;
  readonly text: string;
}

export function bindMount(source: string, target: string, ...options: readonly string[]): Mount {
  const fields = ["type=bind", `source=${source}`, `target=${target}`, ...options];
  return { target, text: fields.map(quoteField).join(",") };
}

/** A mount that somebody else wrote, each field expanded by itself; undefined where it has no absolute target. */
export function readMount(text: string, expand: (field: string) => string): Mount | undefined {
  const fields = fieldsOf(text).map(expand);
  const target = fields
    .map((field) => /^(?:target|dst|destination)=(.*)$/is.exec(field)?.[1])
    .find((path) => path?.startsWith("/"));
  if (target === undefined) return undefined;
  return { target: posix.resolve(target), text: fields.map(quoteField).join(",") };
}

/** `--mount` and not `-v`: it takes paths with a colon, and makes no folder where the source is missing. */
export function mountOptions(mounts: readonly Mount[]): string[] {
  return mounts.flatMap(({ text }) => ["--mount", text]);
}

/** The fields are a line of CSV (RFC 4180). */
function quoteField(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

function fieldsOf(line: string): string[] {
  const field = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g;
  return [...line.matchAll(field)].map(([, quoted, plain = ""]) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  );
}
