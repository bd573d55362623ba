import { limits } from "../limits.ts";
import { opensFrontMatter, parseFrontMatter, splitFrontMatter } from "../reader/front-matter.ts";

/** A skill as the front matter of its SKILL.md introduces it. */
export interface Skill {
  /** The name of its folder below skills/. */
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  /** What a person may say who wants it. */
  readonly triggers: readonly string[];
}

const NAME = /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/;

/** Characters that hide or reorder what a person reads: controls but the line end, turns of direction, halves of a pair. */
const UNREADABLE = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/u;

/**
 * Reads a SKILL.md, of which `text` is the whole or, if not `isWhole`, the start. Without front matter the skill has
 * its folder's name and nothing else. Undefined where the front matter does not end, is no YAML mapping, or has a field
 * of another type, a name that is none, or a character that hides something.
 */
export function parseSkill(folder: string, text: string, isWhole: boolean): Skill | undefined {
  const { yaml } = splitFrontMatter(text);
  const isUnended = yaml === undefined && !isWhole && opensFrontMatter(text);
  const fields = isUnended ? undefined : parseFrontMatter(yaml ?? "", limits.maxSkillHeadBytes);
  if (fields === undefined) return undefined;
  const name = fields.name ?? folder;
  const description = fields.description ?? "";
  const triggers = listOf(fields.triggers);
  const isValid =
    isSkillName(folder) &&
    isSkillName(name) &&
    isReadable(description) &&
    triggers !== undefined &&
    listOf(fields.when_to_use) !== undefined;
  return isValid
    ? Object.freeze({ folder, name, description: description.trim(), triggers })
    : undefined;
}

function isSkillName(value: unknown): value is string {
  return typeof value === "string" && NAME.test(value);
}

function isReadable(value: unknown): value is string {
  return typeof value === "string" && !UNREADABLE.test(value);
}

/** A list of texts, which may also be written as one text with commas or middle dots; undefined for anything else. */
function listOf(value: unknown): string[] | undefined {
  const parts = typeof value === "string" ? value.split(/[,·]/) : (value ?? []);
  if (!Array.isArray(parts) || !parts.every(isReadable)) return undefined;
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
