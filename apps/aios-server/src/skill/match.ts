import { compareText } from "../context/order.ts";
import { foldText, wordsOf } from "../search/word.ts";
import type { Skill } from "./skill.ts";

/** A skill that an intent may mean. */
export interface SkillMatch {
  readonly skill: Skill;
  /** 100 for its very name, else above 0 and below 2. */
  readonly score: number;
  /** Why, in words for the caller. */
  readonly reason: string;
}

const EXACT_SCORE = 100;
/** What a trigger gets on top when it is the intent, or when one holds the other. */
const SAME_BONUS = 0.5;
const HELD_BONUS = 0.4;
/** Shorter texts stand in others by chance. */
const MIN_HELD_UNITS = 4;
const MAX_DESCRIPTION_SCORE = 0.5;
const MIN_SCORE = 0.05;
const WEAK_SCORE = 0.2;

/** Words that say nothing about what somebody wants. */
const FILLERS = new Set(
  "a an and can do for get help how i in into is it me my of on or out please should that the this to want wants what with you".split(
    " ",
  ),
);

/** The skills that an intent may mean, the best first (field §5). Scores have three decimals. */
export function matchSkills(intent: string, skills: readonly Skill[]): SkillMatch[] {
  const wanted = phraseOf(intent);
  return skills
    .map((skill) => matchSkill(wanted, skill))
    .filter(({ score }) => score >= MIN_SCORE)
    .map((match) => ({ ...match, score: Math.round(match.score * 1_000) / 1_000 }))
    .sort(
      (a, b) =>
        b.score - a.score ||
        compareText(a.skill.name, b.skill.name) ||
        compareText(a.skill.folder, b.skill.folder),
    );
}

/** A text as it is compared: its words in their order, and those of them that say something, once each. */
interface Phrase {
  readonly text: string;
  readonly line: string;
  readonly words: ReadonlySet<string>;
}

function phraseOf(text: string): Phrase {
  const folded = foldText(text).trim();
  const words = wordsOf(folded);
  return {
    text: folded,
    line: words.join(" "),
    words: new Set(words.filter((word) => !FILLERS.has(word))),
  };
}

function matchSkill(wanted: Phrase, skill: Skill): SkillMatch {
  if (wanted.text === skill.name || wanted.text === skill.folder)
    return { skill, score: EXACT_SCORE, reason: "exact name" };
  const [best] = skill.triggers
    .map((trigger) => ({ trigger, score: triggerScore(wanted, phraseOf(trigger)) }))
    .sort((a, b) => b.score - a.score);
  const described = overlap(wanted.words, phraseOf(skill.description).words);
  const score = (best?.score ?? 0) + Math.min(described, MAX_DESCRIPTION_SCORE);
  return { skill, score, reason: reasonOf(score, best) };
}

function reasonOf(score: number, best: { trigger: string; score: number } | undefined): string {
  if (score < WEAK_SCORE) return "weak overlap";
  return best !== undefined && best.score > 0
    ? `matched trigger "${best.trigger}"`
    : "matched description";
}

function triggerScore(wanted: Phrase, trigger: Phrase): number {
  const shared = overlap(wanted.words, trigger.words);
  if (trigger.line === "" || wanted.line === "") return shared;
  if (wanted.line === trigger.line) return shared + SAME_BONUS;
  return holds(wanted.line, trigger.line) || holds(trigger.line, wanted.line)
    ? shared + HELD_BONUS
    : shared;
}

function holds(text: string, part: string): boolean {
  return part.length >= MIN_HELD_UNITS && text.includes(part);
}

/** How much two sets of words have in common, from 0 to 1 (Dice). */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size + other.size === 0) return 0;
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  return (2 * shared) / (one.size + other.size);
}
