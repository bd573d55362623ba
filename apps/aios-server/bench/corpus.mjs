// Makes AIOS folders for benchmarks: the same bytes on every machine, all of them notes in the vault.
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const SEED = 20260813;
const MTIME = new Date("2026-08-13T00:00:00Z");
const VOCABULARY_WORDS = 192;
const TOKEN_LENGTH = 18;
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** The two shapes: few folders of prose, and many folders of text without a repeated word. */
export const CELLS = ["shallow-prose", "nested-high-entropy"];

/** Queries with what they must find, as indexes of files. */
export const QUERIES = {
  none: { query: "qzvxwmissing", finds: () => false },
  low: { query: "qzvxwlowhit", finds: (index) => [3, 17, 101, 307].includes(index) },
  high: { query: "qzvxwhighhit", finds: (index) => index % 25 === 0 },
};

/** Writes `count` notes of 768 to 1,280 bytes below `folder`; every fourth has front matter. Gives their paths. */
export function makeCorpus(folder, { count, cell }) {
  const random = randomNumbers(SEED);
  const words = cell === "shallow-prose" ? proseWords(random) : () => token(random, TOKEN_LENGTH);
  const pathOf = cell === "shallow-prose" ? shallowPath : nestedPath;
  writeFileSync(join(folder, "aios.json"), '{"schema_version":"1.2.0"}');
  return Array.from({ length: count }, (_, index) => {
    const path = join(folder, "vault", pathOf(index));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, noteText(index, words, random));
    utimesSync(path, MTIME, MTIME);
    return path;
  });
}

/** The files that a query must find, as results name them, the best first: all are of one rank, so by path. */
export function expectedFiles(paths, folder, { finds }, limit) {
  const vault = join(folder, "vault/").length;
  const found = paths.filter((_, index) => finds(index)).map((path) => path.slice(vault));
  return found.sort((a, b) => (a < b ? -1 : 1)).slice(0, limit);
}

/** Waits until nothing in the folder is so new that it would not be kept. */
export function settle() {
  return new Promise((resolve) => setTimeout(resolve, 2_500));
}

/** All files below a folder. */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function noteText(index, word, random) {
  const size = 768 + Math.floor(random() * 512);
  const head = index % 4 === 0 ? `---\ndescription: note ${index}\nstatus: kept\n---\n` : "";
  const marks = Object.values(QUERIES)
    .filter(({ finds }) => finds(index))
    .map(({ query }) => query);
  let text = `${head}# Note ${index}\n\n${marks.join(" ")}\n`;
  for (let column = 0; text.length < size; column++)
    text += `${word()}${column % 12 === 11 ? "\n" : " "}`;
  return text.slice(0, size);
}

function shallowPath(index) {
  return join(`bucket-${index % 2}`, fileName(index));
}

function nestedPath(index) {
  const levels = [index % 8, Math.floor(index / 8) % 8, Math.floor(index / 64) % 8];
  return join(...levels.map((level) => `level-${level}`), fileName(index));
}

function fileName(index) {
  return `note-${String(index).padStart(5, "0")}.md`;
}

function proseWords(random) {
  const vocabulary = Array.from({ length: VOCABULARY_WORDS }, () =>
    token(random, 3 + Math.floor(random() * 7)),
  );
  return () => vocabulary[Math.floor(random() * vocabulary.length)];
}

function token(random, length) {
  return Array.from({ length }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join("");
}

/** Mulberry32: small, and the same everywhere. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
