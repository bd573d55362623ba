/**
 * Endings that a word may lose to become its stem, asked in this order: verbs and nouns of Italian, then of English,
 * then the vowels that Italian words end in (field §4.5). Already folded.
 */
const ENDINGS =
  "azioni azione amento amenti endo ando arono erono irono iamo iate ata ate ati ato uta ute uti uto ita ite iti ito are ere ire arsi ersi irsi eremo eranno erebbe ization isation ations ation ings ing edly ed es s i e o a".split(
    " ",
  );
const SHORTEST_WORD = 5;
const SHORTEST_STEM = 4;

/** The stem of a folded word; undefined where it is too short, no word, or has no known ending. */
export function stemOf(word: string): string | undefined {
  if (word.length < SHORTEST_WORD || !/^\p{L}+$/u.test(word)) return undefined;
  const ending = ENDINGS.find(
    (one) => word.endsWith(one) && word.length - one.length >= SHORTEST_STEM,
  );
  if (ending === undefined) return undefined;
  const stem = word.slice(0, -ending.length);
  const isDoubled = stem.length > SHORTEST_STEM && stem.at(-1) === stem.at(-2);
  return isDoubled ? stem.slice(0, -1) : stem;
}
