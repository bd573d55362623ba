/** Why a text is not JSON. */
export type JsonSyntaxReason =
  | "the text ends too early"
  | "expected a value"
  | "expected an object"
  | "expected an array"
  | "expected a string"
  | "expected a key in double quotes"
  | "expected a colon"
  | "expected a comma or the end of the object"
  | "expected a comma or the end of the array"
  | "a number is malformed"
  | "a string holds a raw control character"
  | "an escape in a string is malformed"
  | "the bytes are not UTF-8"
  | "something follows the value";

/**
 * A text is not JSON. `offset` counts as the input does: bytes, or UTF-16 units of a text. Message and fields repeat
 * nothing of the input.
 */
export class JsonSyntaxError extends Error {
  readonly code = "JSON_SYNTAX";
  readonly offset: number;
  readonly reason: JsonSyntaxReason;

  constructor(offset: number, reason: JsonSyntaxReason) {
    super(`Cannot read JSON at offset ${offset}: ${reason}.`);
    this.name = "JsonSyntaxError";
    this.offset = offset;
    this.reason = reason;
  }
}
