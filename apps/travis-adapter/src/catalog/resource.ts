import { isObject, type JsonObject } from "@core/wire";

/** A resource as its server lists it. The URI is for the server alone; what is shown names it by a reference. */
export interface Resource extends Described {
  readonly uri: string;
  readonly size: number | undefined;
}

/** A pattern of URIs. It cannot be read by a reference, so only its description is of use. */
export interface Template extends Described {
  readonly uriTemplate: string;
}

interface Described {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly mimeType: string | undefined;
}

/** Reads one entry of `resources/list`; undefined for one without a URI, which nobody could read. */
export function readResource(entry: unknown): Resource | undefined {
  if (!isObject(entry) || typeof entry.uri !== "string" || entry.uri === "") return undefined;
  const { uri, size } = entry;
  return { uri, size: typeof size === "number" ? size : undefined, ...describe(entry, uri) };
}

/** Reads one entry of `resources/templates/list`. */
export function readTemplate(entry: unknown): Template | undefined {
  if (!isObject(entry) || typeof entry.uriTemplate !== "string") return undefined;
  return { uriTemplate: entry.uriTemplate, ...describe(entry, entry.uriTemplate) };
}

/** Names of resources are often their URIs, and descriptions repeat them. */
function describe(entry: JsonObject, uri: string): Described {
  const text = (value: unknown) =>
    typeof value === "string" && value.trim() !== "" ? withoutUris(value, uri) : undefined;
  const { name, title, description, mimeType } = entry;
  return {
    name: text(name) ?? text(title) ?? "without a name",
    title: text(title),
    description: text(description),
    mimeType: text(mimeType),
  };
}

/** Anything with a scheme and an authority or a path after it, up to a blank or a bracket. */
const URI = /\b[a-z][a-z0-9+.-]*:\/\/[^\s<>"'`()[\]]*/gi;

/** The text with every URI replaced by a mark: the given one, whatever its scheme, and all that look like one (A17). */
export function withoutUris(text: string, uri?: string): string {
  const own = uri === undefined || uri === "" ? text : text.replaceAll(uri, "[URI]");
  return own.replace(URI, "[URI]");
}
