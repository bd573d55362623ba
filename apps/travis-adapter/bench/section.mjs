/** A figure as a cell shows it: one that misses its goal stands in bold. */
export function figure(text, isMet) {
  return isMet ? text : `**${text}**`;
}

/** A ratio or another number with so many digits, against the most that it may be. */
export function atMost(goal, value, digits = 2) {
  return figure(value.toFixed(digits), value <= goal);
}

export function atLeast(goal, value, digits = 3) {
  return figure(value.toFixed(digits), value >= goal);
}

/** Prints one section of docs/benchmarks.md. The rows are `[what, at least, measured]`. */
export function printSection(title, conditions, rows) {
  const head = ["| what | at least | measured |", "|---|---|---|"];
  const body = rows.map((cells) => `| ${cells.join(" | ")} |`);
  console.log([`## ${title}`, "", conditions, "", ...head, ...body, ""].join("\n"));
}
