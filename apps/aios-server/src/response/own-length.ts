/**
 * A text that states its own length: `write` is asked with that length, in UTF-16 units. The more it is told, the
 * longer its text may get, so that the first length found is the smallest that is true.
 */
export function writeOwnLength(write: (length: number) => string): string {
  let text = write(0);
  for (let length = -1; length !== text.length; ) {
    length = text.length;
    text = write(length);
  }
  return text;
}
