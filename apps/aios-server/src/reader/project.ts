import { countCodePoints, cutText } from "@core/bounds";
import { limits } from "../limits.ts";
import type { ProjectNames } from "../memory/attribution.ts";
import { parseFrontMatter, splitFrontMatter } from "./front-matter.ts";

/** A project as its README introduces it (field §1.3). */
export interface Project extends ProjectNames {
  readonly name: string;
  readonly status: string;
  readonly domains: readonly string[];
  readonly description: string;
  /** The README without front matter and title, at most 1,200 UTF-16 units. */
  readonly excerpt: string;
}

/** Reads a README. Undefined where its front matter is no YAML mapping or its names are malformed or disagree. */
export function parseProject(slug: string, readme: string): Project | undefined {
  const { yaml, body } = splitFrontMatter(readme);
  const fields = parseFrontMatter(yaml ?? "", limits.maxFrontMatterBytes);
  if (fields === undefined) return undefined;
  const { id, project_id: legacyId, project, slug: otherAlias } = fields;
  if (![id, legacyId, project, otherAlias].every(isNameOrAbsent)) return undefined;
  if (isPresent(id) && isPresent(legacyId) && id !== legacyId) return undefined;

  const alias = (project ?? otherAlias ?? undefined) as string | undefined;
  return Object.freeze({
    slug,
    id: (id ?? legacyId ?? undefined) as string | undefined,
    alias,
    name: scalarText(fields.name) || titleOf(body) || alias || slug,
    status: scalarText(fields.status) || "unknown",
    domains: domainsOf(fields.domain),
    description: scalarText(fields.description) || firstProse(body),
    excerpt: excerptOf(body),
  });
}

/** Cuts a text to a number of UTF-16 units, the ellipsis included. */
export function withEllipsis(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  return `${cutText(text, { maxUnits: maximum - 1 }).text}…`;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A name is text without outer blanks and control characters, at most as long as a selector may be. */
function isNameOrAbsent(value: unknown): boolean {
  if (!isPresent(value)) return true;
  return (
    typeof value === "string" &&
    value !== "" &&
    value === value.trim() &&
    !/\p{Cc}/u.test(value) &&
    countCodePoints(value) <= limits.maxProjectCodePoints
  );
}

function scalarText(value: unknown): string {
  return ["string", "number", "boolean"].includes(typeof value) ? String(value).trim() : "";
}

function domainsOf(value: unknown): string[] {
  const parts = Array.isArray(value) ? value : scalarText(value).split(",");
  return parts.map(scalarText).filter((part) => part !== "");
}

function titleOf(body: string): string {
  const line = body.split("\n").find((candidate) => candidate.startsWith("# "));
  return line?.slice(2).trim() ?? "";
}

function firstProse(body: string): string {
  const lines = body.split("\n").map((line) => line.trim());
  return lines.find((line) => line !== "" && !/^(#|<!--|[-*+] )/.test(line)) ?? "";
}

function excerptOf(body: string): string {
  const withoutTitle = body.trim().replace(/^# .*(\n|$)/, "");
  return withEllipsis(withoutTitle.trim(), limits.maxExcerptUnits);
}
