/** What a label says of the text between its two marks (A19). */
export type UntrustedKind = "resource" | "prompt";

/** A text of a server's making between marks that it cannot write itself: it is data, and no instruction. */
export function untrusted(kind: UntrustedKind, about: string, body: string): string {
  return [openingOf(kind), oneLineOf(about), breakLabels(body), closingOf(kind)].join("\n");
}

/** The mark that ends untrusted data, also where the data itself had to be cut. */
export function closingOf(kind: UntrustedKind): string {
  return `[/Untrusted MCP ${kind} data]`;
}

function openingOf(kind: UntrustedKind): string {
  return `[Untrusted MCP ${kind} data]`;
}

function oneLineOf(about: string): string {
  return breakLabels(about.replace(/\s+/g, " "));
}

/** Characters that take no room, and blanks of every width. */
const UNSEEN = String.raw`\p{Cf}*`;
const GAP = String.raw`[\s\p{Cf}]*`;

/** Each letter in both widths; the flags see to the case. */
function word(text: string): string {
  const fullWidth = (letter: string) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0);
  return [...text].map((letter) => `[${letter}${fullWidth(letter)}]`).join(UNSEEN);
}

const WORDS = [
  word("untrusted"),
  word("mcp"),
  `(?:${word("resource")}|${word("prompt")})`,
  word("data"),
];
const LABEL = new RegExp(String.raw`[\[［](?=${GAP}[/／]?${GAP}${WORDS.join(GAP)})`, "giu");

/** Each label that the text holds loses its bracket, whatever its case or width: only ours are whole. */
export function breakLabels(text: string): string {
  return text.replace(LABEL, "(");
}
