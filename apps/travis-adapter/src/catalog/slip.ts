/** Shorter words differ by one letter from too many others. */
const MIN_LENGTH = 5;

/** The words of a sorted vocabulary that one slip of the pen makes of `word`, whose first letter is taken to be right. */
export function oneSlipFrom(word: string, vocabulary: readonly string[]): string[] {
  if (word.length < MIN_LENGTH) return [];
  return vocabulary.filter((known) => known[0] === word[0] && isOneSlip(known, word));
}

/** Whether a letter is missing, too many or another one, or two neighbours stand the wrong way round. */
function isOneSlip(known: string, word: string): boolean {
  if (Math.abs(known.length - word.length) > 1) return false;
  let at = 0;
  while (at < word.length && known[at] === word[at]) at++;
  const [rest, tail] = [known.slice(at), word.slice(at)];
  const isSwapped = rest[0] === tail[1] && rest[1] === tail[0] && rest.slice(2) === tail.slice(2);
  return (
    isSwapped || rest.slice(1) === tail.slice(1) || rest === tail.slice(1) || rest.slice(1) === tail
  );
}
