/** The accents of Latin, Greek and Cyrillic letters; the vowel signs of other scripts are no accents and stay. */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff]/g;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

const BEYOND_ASCII = /[^\0-\x7f]+/g;

/**
 * Text as it is compared (S18): compatibility forms, case and accents folded, so that `ＣＡＦÉ`, `café` and `cafe` are
 * one, and so are `Straße` and `STRASSE`. The same on every machine whatever its locale.
 */
export function foldText(text: string): string {
  // No letter of ASCII is changed by what stands beside it, and most text is ASCII.
  return text.toLowerCase().replace(BEYOND_ASCII, foldBeyondAscii);
}

function foldBeyondAscii(text: string): string {
  const bare = text.normalize("NFKD").replace(ACCENTS, "");
  // Some letters meet only in upper case, and ẞ gets there by way of lower case. Of sigma two lower forms are left.
  return bare.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFKC");
}

/** The words of a folded text in their order: runs of letters, digits and their marks, in any script. */
export function wordsOf(folded: string): string[] {
  return folded.match(WORD) ?? [];
}
