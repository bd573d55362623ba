/** A skill answer as `resolve_skill` gives it, as far as a person at a terminal sees it. */
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
}

/** The answer of resolve_skill for a person: the receipt, then three lines a skill. */
export function renderSkills({ receipt, notice, matches }: SkillAnswer): string {
  const none = notice ?? "No installed skill fits.";
  const blocks = matches.map(({ name, description, score, reason, resource }) =>
    [`${name} (${score}, ${reason})`, description, resource]
      .filter((line) => line !== "")
      .map((line, at) => (at === 0 ? line : `  ${line.replaceAll("\n", " ")}`))
      .join("\n"),
  );
  return [receipt, ...(blocks.length === 0 ? [none] : blocks)].join("\n\n");
}
