import { CST, Lexer, Parser } from "yaml";
import type { ConfigErrorCode } from "./error.ts";
import type { DocumentLimits, Refuse } from "./reader.ts";

export const MISPLACED = "something stands where it does not belong";
export const SECOND_DOCUMENT = "holds more than one document; keep one";

/** The parser's tokens, ended at the first thing that is refused before any meaning is given to it. */
export function* guardedTokens(text: string, limits: DocumentLimits, refuse: Refuse) {
  const parser = new Parser();
  const guard = createGuard(limits, refuse);
  let isText = false;
  for (const lexeme of new Lexer().lex(text)) {
    const type = isText ? "text" : CST.tokenType(lexeme);
    isText = lexeme === CST.SCALAR;
    guard(type ?? "error", lexeme, parser.offset);
    for (const token of parser.next(lexeme)) yield withoutError(token, refuse);
    // The composer recurses, so it must never see what is too deep. The document, a pending key and a scalar lie on
    // the stack too; the exact limit is the builder's.
    if (parser.stack.length > limits.maxDepth + 4)
      refuse("TOO_DEEP", `is nested deeper than ${limits.maxDepth} levels`, parser.offset);
  }
  for (const token of parser.end()) yield withoutError(token, refuse);
}

function withoutError(token: CST.Token, refuse: Refuse): CST.Token {
  return token.type === "error" ? refuse("SYNTAX", MISPLACED, token.offset) : token;
}

const REFUSED: ReadonlyMap<string, string> = new Map([
  ["tag", "tags are not allowed; remove this one"],
  ["directive-line", "directives are not allowed; remove this one"],
]);

/** Lexemes that are counted together, how many there may be, and the refusal of one more. */
interface Budget {
  readonly types: readonly string[];
  readonly maximum: number;
  readonly code: ConfigErrorCode;
  readonly reason: string;
}

function budgetsOf({ maxValues, maxAliases }: DocumentLimits): readonly Budget[] {
  // A value has at most a key of its own and two indicators, so these bounds lie beyond the builder's exact one.
  const values = {
    maximum: 2 * maxValues,
    code: "TOO_LARGE",
    reason: `holds more than ${maxValues} values`,
  } as const;
  const aliases = {
    maximum: maxAliases,
    code: "TOO_LARGE",
    reason: `holds more than ${maxAliases} anchors or aliases`,
  } as const;
  return [
    { types: CONTENT, ...values },
    { types: ["map-value-ind", "explicit-key-ind", "seq-item-ind"], ...values },
    { types: ["anchor"], ...aliases },
    { types: ["alias"], ...aliases },
    { types: ["doc-start", "doc-end"], maximum: 2, code: "SYNTAX", reason: SECOND_DOCUMENT },
  ];
}

const CONTENT = [
  "text",
  "double-quoted-scalar",
  "single-quoted-scalar",
  "flow-map-start",
  "flow-seq-start",
];

/**
 * Refuses lexemes by type and number. Composing costs much more than lexing, and an error of the composer more still,
 * so what is too large or wrong in bulk never gets there.
 */
function createGuard(limits: DocumentLimits, refuse: Refuse) {
  const counters = new Map(
    budgetsOf(limits).flatMap((budget) => {
      const counter = { budget, left: budget.maximum };
      return budget.types.map((type) => [type, counter] as const);
    }),
  );
  return (type: string, lexeme: string, offset: number) => {
    const refusal = REFUSED.get(type);
    if (refusal !== undefined) refuse("SYNTAX", refusal, offset);
    if (type === "double-quoted-scalar") requireEscapes(lexeme, offset, refuse);
    const counter = counters.get(type);
    if (counter === undefined) return;
    counter.left -= 1;
    if (counter.left < 0) refuse(counter.budget.code, counter.budget.reason, offset);
  };
}

/** An escape of YAML 1.2.2, 5.7; whatever else follows a backslash is in the group. */
const ESCAPE =
  /\\(?:[0abt\tnvfre "/\\N_LP\r\n]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|([\s\S]|$))/g;

function requireEscapes(lexeme: string, offset: number, refuse: Refuse): void {
  for (const { 1: unknown, index } of lexeme.matchAll(ESCAPE))
    if (unknown !== undefined)
      refuse("SYNTAX", "an escape in a quoted string is not valid", offset + index);
}
