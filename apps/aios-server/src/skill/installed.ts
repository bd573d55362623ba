import { LimitError } from "@core/bounds";
import { AiosError } from "../errors.ts";
import type { Contained } from "../reader/contained.ts";
import { shelves } from "../reader/shelves.ts";
import { parseSkill, type Skill } from "./skill.ts";

/** The skills of a folder, in the order of their folders' names. */
export interface Installed {
  readonly skills: readonly Skill[];
  /** The folders with a SKILL.md that nobody can use: no UTF-8, bad front matter, too large, a bad name. */
  readonly unusable: readonly string[];
}

/**
 * Reads the front matter of every skill (field §5). Linked folders, and those whose names begin with `.` or `_`, are
 * not looked at; one without a SKILL.md is no skill. A linked or special SKILL.md is a fault, and so is a linked skills
 * folder.
 */
export function readInstalled(reader: Contained): Installed {
  const entries = reader.list("skills", shelves.skills) ?? [];
  const folders = entries.filter(({ name, kind }) => kind === "folder" && !/^[._]|\\/.test(name));
  const found = folders.map(({ name }) => ({ name, skill: readSkill(reader, name) }));
  return {
    skills: found.flatMap(({ skill }) => (typeof skill === "object" ? [skill] : [])),
    unusable: found.flatMap(({ name, skill }) => (skill === "unusable" ? [name] : [])),
  };
}

function readSkill(reader: Contained, folder: string): Skill | "unusable" | "none" {
  try {
    const file = reader.read(`skills/${folder}/SKILL.md`, shelves.skill);
    if (file === undefined) return "none";
    const isWhole = file.stamp.size <= BigInt(shelves.skill.head);
    return parseSkill(folder, file.text, isWhole) ?? "unusable";
  } catch (error) {
    if (isOfFileAlone(error)) return "unusable";
    throw error;
  }
}

/** Whether what is wrong with a file says nothing about the rest of the folder. */
function isOfFileAlone(error: unknown): boolean {
  if (!(error instanceof AiosError)) return false;
  if (error.code === "SOURCE_LIMIT")
    return error.cause instanceof LimitError && error.cause.limit === "fileBytes";
  return error.code === "SOURCE_NOT_UTF8";
}
