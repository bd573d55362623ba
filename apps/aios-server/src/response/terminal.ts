/** What a person at a terminal sees of an answer of resolve_skill. */
interface SkillAnswer {
  readonly receipt: string;
  readonly notice: string | null;
  readonly matches: readonly {
    readonly name: string;
    readonly description: string;
    readonly score: number;
    readonly reason: string;
    readonly resource: string;
  }[];
  readonly skipped?: { readonly skills: number };
  readonly budget?: { readonly truncated: boolean };
}

/** And of one of search_aios: a note or session has `matches`, a record one `match`. */
interface SearchAnswer {
  readonly receipt: string;
  readonly notice: string | null;
  readonly results: readonly {
    readonly source: string;
    readonly title?: string | null;
    readonly ts?: string;
    readonly matches?: readonly { readonly line: number; readonly content: string }[];
    readonly match?: { readonly field: string; readonly value: string };
  }[];
  readonly omissions: readonly {
    readonly scope: string;
    readonly recovery: { readonly message: string };
  }[];
  readonly budget?: { readonly truncated: boolean };
}

/** The answer of resolve_skill: the receipt, then up to three lines a skill. */
export function renderSkills({ receipt, notice, matches, budget }: SkillAnswer): string {
  const blocks = matches.map(({ name, description, score, reason, resource }) =>
    block(`${name} (${score}, ${reason})`, [description, resource]),
  );
  const none = budget?.truncated ? "No skill can be shown." : "No installed skill fits.";
  return render(receipt, blocks, notice ?? none);
}

/** What the caller should know beside the skills, one line each. */
export function skillNotices({ skipped, budget }: SkillAnswer): string[] {
  return [
    ...(skipped ? [`${skipped.skills} skill(s) that nobody can read were passed over`] : []),
    ...(budget?.truncated ? [OVER_BUDGET] : []),
  ];
}

const OVER_BUDGET = "Not all that was found fits the budget; raise --budget";

/** The answer of search_aios: the receipt, then for each result where it is and what it says. */
export function renderSearch({ receipt, notice, results }: SearchAnswer): string {
  const blocks = results.map(({ source, title, ts, matches = [], match }) => {
    const lines = matches.map(({ line, content }) => `${line}: ${content}`);
    const heading = [source, title ?? ts].filter((part) => part).join(" · ");
    return block(heading, match ? [`${match.field}: ${match.value}`] : lines);
  });
  return render(receipt, blocks, notice ?? "Nothing was found.");
}

/** What the caller of a search should know beside the results, one line each. */
export function searchNotices({ omissions, budget }: SearchAnswer): string[] {
  const notices = omissions.map(
    ({ scope, recovery }) => `${scope} was not searched: ${recovery.message}`,
  );
  return budget?.truncated ? [...notices, OVER_BUDGET] : notices;
}

function render(receipt: string, blocks: readonly string[], none: string): string {
  return [receipt, ...(blocks.length === 0 ? [none] : blocks)].join("\n\n");
}

/** A heading and its lines below it, each on one line and without what could play with the terminal. */
function block(heading: string, lines: readonly string[]): string {
  const shown = lines.map(printable).filter((line) => line !== "");
  return [printable(heading), ...shown.map((line) => `  ${line}`)].join("\n");
}

function printable(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, "?")
    .trim();
}
