/**
 * The ways in which a secret may stand in a text: as it is; inside a JSON string, with or without `\/` and with what is
 * not ASCII as itself or as `\uXXXX`; in a URL, whole or with its reserved characters left; in a form. Hexadecimal digits
 * of either case. Without repeats.
 */
export function writtenForms(secret: string): readonly string[] {
  if (PLAIN.test(secret)) return [secret];
  return [...new Set([secret, ...jsonForms(secret), ...urlForms(secret)])];
}

/** What no encoding touches. */
const PLAIN = /^[A-Za-z0-9_.-]*$/;

function jsonForms(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const ascii = escaped.replace(/[^\x20-\x7e]/g, unicodeEscape);
  const forms = [escaped, ascii, ascii.replace(/\\u[0-9a-f]{4}/g, upperHex)];
  return forms.flatMap((form) => [form, form.replaceAll("/", "\\/")]);
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function upperHex(sequence: string): string {
  return `\\u${sequence.slice(2).toUpperCase()}`;
}

function urlForms(secret: string): string[] {
  // URLs are UTF-8; a lone surrogate goes into one as U+FFFD.
  const text = Buffer.from(secret, "utf8").toString("utf8");
  const component = encodeURIComponent(text);
  const strict = component.replace(/[!'()*]/g, percentEscape);
  const form = new URLSearchParams([["", text]]).toString().slice(1);
  const forms = [encodeURI(text), component, strict, form];
  return forms.flatMap((url) => [url, url.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())]);
}

function percentEscape(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
