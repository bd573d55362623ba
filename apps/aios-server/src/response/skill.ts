import { fitItems } from "@core/bounds";
import { limits } from "../limits.ts";
import type { MemoryDecision } from "../memory/gate.ts";
import { withEllipsis } from "../reader/project.ts";
import type { SkillMatch } from "../skill/match.ts";
import { writeOwnLength } from "./own-length.ts";

/** A skill as a caller sees it: texts without machine paths, at most 300 UTF-16 units each. */
interface MatchReport {
  readonly name: string;
  readonly description: string;
  readonly triggers: readonly string[];
  readonly score: number;
  readonly reason: string;
  /** Where its instructions are, from the folder. */
  readonly resource: string;
}

const INTENT_MARK = "[intent truncated]";

/**
 * The text of an answer of resolve_skill, at most `budget` UTF-16 units long as a whole (S13). Where it does not fit,
 * it is written without indentation; then the intent's echo gives way to the matches, and of those the last ones go.
 */
export function skillAnswer(made: {
  intent: string;
  budget: number;
  memory: MemoryDecision;
  matches: readonly SkillMatch[];
  /** Skills that nobody could read. */
  skipped: number;
  scrubPaths: (text: string) => string;
}): string {
  const { intent, budget, memory, skipped, scrubPaths } = made;
  const matches = made.matches.map((match) => reportMatch(match, scrubPaths));
  const write = (included: readonly MatchReport[], echo: string, indent?: number) =>
    writeOwnLength((used) => {
      const truncated = included.length < matches.length || echo !== intent;
      const answer = {
        intent: echo,
        matches: included,
        memory: memory.mode,
        receipt: memory.receipt,
        notice: memory.mode === "off" ? memory.notice : null,
        complete: true,
        ...(skipped > 0 ? { skipped: { skills: skipped } } : {}),
        budget: { limit: budget, used, truncated },
      };
      return JSON.stringify(answer, null, indent);
    });

  const pretty = write(matches, intent, 2);
  if (pretty.length <= budget) return pretty;
  const shortest = shorterText(intent, INTENT_MARK);
  const { included } = fitItems({
    items: matches,
    budget,
    render: (some) => write(some, shortest),
  });
  const { text } = fitItems({
    items: [...intent],
    budget,
    render: (start, left) => write(included, start.join("") + (left > 0 ? INTENT_MARK : "")),
  });
  return text;
}

/** The one that takes less room in JSON. */
function shorterText(one: string, other: string): string {
  return JSON.stringify(one).length <= JSON.stringify(other).length ? one : other;
}

function reportMatch({ skill, score, reason }: SkillMatch, scrub: (text: string) => string) {
  const shown = (text: string) => withEllipsis(scrub(text), limits.maxSkillTextUnits);
  return {
    name: skill.name,
    description: shown(skill.description),
    triggers: skill.triggers.map(shown),
    score,
    reason: shown(reason),
    resource: `skills/${skill.folder}/SKILL.md`,
  };
}
