import { cutText } from "@core/bounds";

/** How much of an excerpt stands in front of what it is about. */
const LEAD = 0.25;
const GAP = "…";

/** At most `maximum` UTF-16 units of a text around a place in it, with an ellipsis for what is left out on a side. */
export function excerptAround(text: string, place: number, maximum: number): string {
  if (text.length <= maximum) return text;
  const room = maximum - 2 * GAP.length;
  const from = Math.min(Math.max(0, place - Math.floor(room * LEAD)), text.length - room);
  const start = startOfCharacter(text, from);
  const { text: kept } = cutText(text.slice(start), { maxUnits: room });
  const isWhole = start + kept.length === text.length;
  return `${start > 0 ? GAP : ""}${kept}${isWhole ? "" : GAP}`;
}

function startOfCharacter(text: string, at: number): number {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at + 1 : at;
}
