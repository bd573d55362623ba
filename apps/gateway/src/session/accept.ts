/** Which of the two forms of an answer a client takes. */
export interface Accept {
  readonly json: boolean;
  readonly events: boolean;
}

const USUAL = "application/json, text/event-stream";
const BOTH: Accept = Object.freeze({ json: true, events: true });

/** Reads an Accept header (RFC 9110 §12.5.1, without weights): absent or a wildcard means both forms. */
export function parseAccept(header: string | undefined): Accept {
  // The usual cases first: this runs for every request.
  if (header === undefined || header === USUAL || header.trim() === "") return BOTH;
  const types = header.toLowerCase().split(",").map(mediaType);
  const has = (type: string, family: string) =>
    types.includes(type) || types.includes(family) || types.includes("*/*");
  return {
    json: has("application/json", "application/*"),
    events: has("text/event-stream", "text/*"),
  };
}

/** The media type in a header value such as `application/json; charset=utf-8`. */
export function mediaType(value: string): string {
  const end = value.indexOf(";");
  return (end === -1 ? value : value.slice(0, end)).trim().toLowerCase();
}
