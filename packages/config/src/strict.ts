import { type $ZodIssue, type $ZodType, type output, safeParse } from "zod/v4/core";
import type { ConfigDocument } from "./config-document.ts";
import { ConfigError, type ConfigErrorCode, fieldPath, type Path } from "./error.ts";
import type { DocumentNode } from "./node.ts";
import { sentenceOf, suggestedField, UNION_MARK } from "./sentence.ts";

/** More problems than these are counted, not listed. */
const MAX_PROBLEMS = 100;

const NOT_AN_INTEGER =
  "must be an integer in plain digits, without point, exponent or leading zero";

export interface StrictOptions {
  /** Check only the value at this path; fields are named from the root all the same. Default: the root. */
  readonly at?: Path | undefined;
  /** Of a document that keeps its faults, report those at most so many keys below `at`. Default: all. */
  readonly faultDepth?: number | undefined;
}

export type StrictResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly ConfigError[] };

interface Problem {
  readonly code: ConfigErrorCode;
  readonly reason: string;
  readonly path: Path;
  readonly offset: number;
}

/**
 * The document's value as a zod schema has it, or the first ConfigError in document order (C2). Use strict objects:
 * what a schema lets pass passes. Where the schema wants an integer, `1.0` and `1e3` are refused as well.
 */
export function parseStrict<S extends $ZodType>(
  schema: S,
  document: ConfigDocument,
  options: StrictOptions = {},
): output<S> {
  const result = checkStrict(schema, document, options);
  if (result.ok) return result.value;
  throw result.problems[0];
}

/** Like parseStrict, with every problem, in document order; beyond 100 a last one says how many more there are. */
export function checkStrict<S extends $ZodType>(
  schema: S,
  document: ConfigDocument,
  { at = [], faultDepth = Number.POSITIVE_INFINITY }: StrictOptions = {},
): StrictResult<output<S>> {
  const node = document.locate(at)?.node;
  const parsed = safeParse(schema, node?.value, { error: sentenceOf });
  const problems = [
    ...faultsIn(document, at, faultDepth),
    ...(parsed.error?.issues ?? []).flatMap((issue) => explain(issue, at, document)),
    ...(node?.hasWrittenFraction ? findWrittenFractions(schema, node, at, document) : []),
  ];
  if (parsed.success && problems.length === 0) return { ok: true, value: parsed.data };
  return { ok: false, problems: toErrors(problems, document) };
}

function faultsIn(document: ConfigDocument, at: Path, depth: number): readonly Problem[] {
  const isInside = (path: Path) => at.every((step, index) => path[index] === step);
  return document.faults.filter(({ path }) => path.length <= at.length + depth && isInside(path));
}

function toErrors(problems: readonly Problem[], document: ConfigDocument): ConfigError[] {
  const { file } = document;
  const ordered = onlyCauses(problems).toSorted((a, b) => a.offset - b.offset);
  const errors = ordered.slice(0, MAX_PROBLEMS).map(({ code, reason, path, offset }) => {
    const field = path.length === 0 ? undefined : fieldPath(path);
    return new ConfigError(code, reason, { file, field, ...document.positionAt(offset) });
  });
  const more = ordered.length - errors.length;
  if (more > 0)
    errors.push(
      new ConfigError("INVALID_VALUE", `has ${more} more ${more === 1 ? "problem" : "problems"}`, {
        file,
      }),
    );
  return errors;
}

/**
 * One problem a field, since a value of the wrong kind often breaks several rules at once; and none about a missing
 * field that only stands there mistyped.
 */
function onlyCauses(problems: readonly Problem[]): Problem[] {
  const byField = new Map<string, Problem>();
  for (const problem of problems) {
    const field = JSON.stringify(problem.path);
    if (!byField.has(field)) byField.set(field, problem);
  }
  for (const { path, reason } of problems) {
    const meant = suggestedField(reason);
    if (meant === undefined) continue;
    const field = JSON.stringify([...path.slice(0, -1), meant]);
    if (byField.get(field)?.code === "MISSING_FIELD") byField.delete(field);
  }
  return [...byField.values()];
}

/** One issue of the schema as problems of fields. `base` is the path that the issue's own path continues. */
function explain(issue: $ZodIssue, base: Path, document: ConfigDocument): Problem[] {
  const path = [...base, ...(issue.path as Path)];
  if (issue.code === "unrecognized_keys") return explainUnknown(issue, path, document);
  if (issue.code === "invalid_key") {
    const reason = `this name is not allowed: ${issue.issues[0]?.message ?? "it is malformed"}`;
    return [{ code: "INVALID_VALUE", reason, path, offset: keyOffset(document, path) }];
  }
  if (issue.code === "invalid_union" && issue.message.startsWith(UNION_MARK)) {
    const branch = closestBranch(issue.errors);
    if (branch !== undefined) return branch.flatMap((nested) => explain(nested, path, document));
  }
  return [explainValue(issue.message.replace(UNION_MARK, ""), path, document)];
}

function explainUnknown(
  issue: Extract<$ZodIssue, { code: "unrecognized_keys" }>,
  parent: Path,
  document: ConfigDocument,
): Problem[] {
  // One line a key where the sentence is ours, one line in all where the schema's author wrote it.
  const lines = issue.message.split("\n");
  return issue.keys.map((key, index) => {
    const path = [...parent, key];
    const reason = lines[index] ?? issue.message;
    return { code: "UNKNOWN_FIELD", reason, path, offset: keyOffset(document, path) };
  });
}

function explainValue(sentence: string, path: Path, document: ConfigDocument): Problem {
  const found = document.locate(path);
  if (found !== undefined)
    return { code: "INVALID_VALUE", reason: sentence, path, offset: found.node.offset };
  const reason = sentence.startsWith("must ") ? `is missing; it ${sentence}` : sentence;
  return { code: "MISSING_FIELD", reason, path, offset: keyOffset(document, path) };
}

/** Where the key stands, or else the nearest container that does. */
function keyOffset(document: ConfigDocument, path: Path): number {
  const found = document.locate(path);
  if (found !== undefined) return found.keyOffset;
  if (path.length === 0) return 0;
  const parent = path.slice(0, -1);
  return document.locate(parent)?.node.offset ?? keyOffset(document, parent);
}

/**
 * The issues of the branch of a union that was most likely meant: of those that take values of this kind at all the one
 * with the fewest issues, or with the field that was only mistyped. Undefined if that leaves several.
 */
function closestBranch(branches: readonly (readonly $ZodIssue[])[]) {
  const fitting = branches.filter(
    (issues) => !issues.some(({ code, path }) => path.length === 0 && WRONG_KIND.has(code)),
  );
  const fewest = Math.min(...fitting.map(({ length }) => length));
  const closest = fitting.filter(({ length }) => length === fewest);
  if (closest.length === 1) return closest[0];
  return closest.find((issues) =>
    issues.some(({ message }) => suggestedField(message) !== undefined),
  );
}

const WRONG_KIND: ReadonlySet<string> = new Set(["invalid_type", "invalid_value"]);

/**
 * The numbers such as `1.0` and `1e3` where the schema wants an integer. JSON and YAML read them as whole numbers, so
 * the schema is asked once more with each of them made a fraction: what it then refuses for not being an integer has to
 * be written as one. This finds the place through unions, records and refinements alike.
 */
function findWrittenFractions(
  schema: $ZodType,
  node: DocumentNode,
  at: Path,
  document: ConfigDocument,
): Problem[] {
  const parsed = safeParse(schema, withFractions(node), { error: sentenceOf });
  return integerPaths(parsed.error?.issues ?? [], at).flatMap((path) => {
    const found = document.locate(path)?.node;
    if (found?.kind !== "scalar" || !found.hasWrittenFraction) return [];
    return [{ code: "INVALID_VALUE", reason: NOT_AN_INTEGER, path, offset: found.offset }];
  });
}

function withFractions(node: DocumentNode): unknown {
  if (!node.hasWrittenFraction) return node.value;
  if (node.kind === "array") return node.items.map(withFractions);
  if (node.kind === "scalar")
    return Number.isInteger(Number(node.value) + 0.5) ? 0.5 : Number(node.value) + 0.5;
  const entries = Array.from(node.members, ([key, member]) => [key, withFractions(member.node)]);
  return Object.fromEntries(entries);
}

/** The paths at which issues, those inside of unions included, want an integer. */
function integerPaths(issues: readonly $ZodIssue[], base: Path): Path[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...(issue.path as Path)];
    if (issue.code === "invalid_union")
      return issue.errors.flatMap((branch) => integerPaths(branch, path));
    return issue.code === "invalid_type" && issue.expected === "int" ? [path] : [];
  });
}
