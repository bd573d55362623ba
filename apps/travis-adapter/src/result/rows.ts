import { countBytes, countLines, cutText } from "@core/bounds";
import type { Tool } from "../catalog/tool.ts";

/** A text on one line, cut to so many code points. */
export function oneLine(text: string, maxCodePoints: number): string {
  const collapsed = text.replace(/\s+/g, " ").trim();
  const cut = cutText(collapsed, { maxCodePoints });
  return cut.complete ? collapsed : `${cut.text}…`;
}

/** `- name: description`, the row of a list and of a search. */
export function toolRow({ name, description }: Tool, maxDescription: number): string {
  const described = description === undefined ? "No description" : description;
  return `- ${oneLine(name, MAX_NAME)}: ${oneLine(described, maxDescription)}`;
}

/** Names are shown whole, because they have to be copied; only an absurd one is cut. */
const MAX_NAME = 1000;

export interface Rows {
  readonly header: string;
  readonly rows: readonly string[];
  /** How many further rows there are that are not even tried. */
  readonly beyond?: number;
  /** The line about so many rows that are left out. */
  readonly more: (left: number) => string;
  /** UTF-8 bytes and lines of the whole text. */
  readonly maxBytes: number;
  readonly maxLines: number;
}

/** The header, as many rows as fit, and one line about the rest if there is one. */
export function fitRows({ header, rows, beyond = 0, more, maxBytes, maxLines }: Rows): string {
  const whole = [header, ...rows, ...(beyond > 0 ? [more(beyond)] : [])].join("\n");
  if (countBytes(whole) <= maxBytes && countLines(whole) <= maxLines) return whole;
  const worst = more(rows.length + beyond);
  let bytes = countBytes(header) + 1 + countBytes(worst);
  let lines = countLines(header) + countLines(worst);
  let fitting = 0;
  for (const row of rows) {
    bytes += countBytes(row) + 1;
    lines += countLines(row);
    if (bytes > maxBytes || lines > maxLines) break;
    fitting++;
  }
  return [header, ...rows.slice(0, fitting), more(rows.length - fitting + beyond)].join("\n");
}
