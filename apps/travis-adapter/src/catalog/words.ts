/** Words that say nothing about which tool is meant: English function words and the phrases of a request. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after all also am an and any are as at be been before being below between both but by can could did
do does doing down each few for from further had has have having he her here hers him his how i if in into is it its
itself just me more most my no nor not now of off on once only or other our out over own please same she should so
some such than that the their them then there these they this those through to too under until up us very was we
were what when where which while who whom why will with would you your
d ll m re s t ve
want wants need needs like help give tell let know looking try trying assist hey hi hello thanks thank
tool tools use using used able`.split(/\s+/),
);

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that put no blanks between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+/gu;

/**
 * The terms of a text: words at camelCase, digit and punctuation borders, lower-case, without stop words, stemmed; of
 * scripts without blanks each pair of neighbouring characters.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const word of splitWords(text)) {
    const unspaced = word.match(UNSPACED);
    if (unspaced === null) addTerm(terms, word);
    else {
      for (const run of unspaced) terms.push(...pairsOf(run));
      for (const rest of word.split(UNSPACED)) addTerm(terms, rest);
    }
  }
  return terms;
}

/** A text for comparing whole names: lower-case, with one blank for each run of other characters. */
export function normalized(text: string): string {
  return splitWords(text).join(" ");
}

function splitWords(text: string): string[] {
  const spaced = text
    .normalize("NFKC")
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  return spaced.toLowerCase().match(WORD) ?? [];
}

function addTerm(terms: string[], word: string): void {
  if (word !== "" && !STOP_WORDS.has(word)) terms.push(stem(word));
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Endings, longest first, with what takes their place and how long the rest must be. */
const ENDINGS: readonly (readonly [ending: string, instead: string, minimum: number])[] = [
  ["izations", "iz", 3],
  ["ization", "iz", 3],
  ["ations", "at", 3],
  ["ation", "at", 3],
  ["ating", "at", 3],
  ["ators", "at", 3],
  ["ator", "at", 3],
  ["ated", "at", 3],
  ["ates", "at", 3],
  ["ate", "at", 3],
  ["izing", "iz", 3],
  ["ized", "iz", 3],
  ["izer", "iz", 3],
  ["izes", "iz", 3],
  ["ize", "iz", 3],
  ["ises", "is", 3],
  ["ments", "", 4],
  ["ment", "", 4],
  ["nesses", "", 4],
  ["ness", "", 4],
  ["ities", "", 4],
  ["ity", "", 4],
  ["ings", "", 3],
  ["ing", "", 3],
  ["ions", "", 4],
  ["ion", "", 4],
  ["iest", "y", 3],
  ["ies", "y", 2],
  ["ied", "y", 2],
  ["ers", "", 4],
  ["er", "", 4],
  ["ors", "", 4],
  ["or", "", 4],
  ["est", "", 4],
  ["ed", "", 3],
  ["sses", "ss", 2],
  ["ches", "ch", 2],
  ["shes", "sh", 2],
  ["xes", "x", 2],
  ["ably", "", 4],
  ["able", "", 4],
  ["ally", "al", 3],
  ["ly", "", 4],
  ["es", "", 3],
  ["ss", "ss", 1],
  ["us", "us", 1],
  ["is", "is", 1],
  ["s", "", 2],
];
const ASCII_WORD = /^[a-z]+$/;

/**
 * A light English stem, the same for the forms of a word and good for nothing else: "searching", "searches" and
 * "searched" meet, "news" and "new" do too. Words of other scripts and words with digits stay as they are.
 */
export function stem(word: string): string {
  if (word.length < 4 || !ASCII_WORD.test(word)) return word;
  let root = word;
  for (const [ending, instead, minimum] of ENDINGS) {
    if (!word.endsWith(ending) || word.length - ending.length < minimum) continue;
    root = word.slice(0, word.length - ending.length) + instead;
    break;
  }
  return withoutTail(root);
}

/** Doubled consonants and silent endings that only some forms of a word have: "mapp", "stor", "store", "quer", "query". */
function withoutTail(root: string): string {
  if (root.length < 4) return root;
  const last = root.at(-1) as string;
  if (last === root.at(-2) && !"lsz".includes(last)) return root.slice(0, -1);
  if (last === "e") return root.slice(0, -1);
  return last === "y" ? `${root.slice(0, -1)}i` : root;
}
