const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * The text as it may stand in a message: control, format (bidirectional marks among them) and lone surrogate
 * characters become U+FFFD, and more than `maximum` code points are cut in the middle, where a name says least.
 */
export function printable(text: string, maximum: number): string {
  // A UTF-16 unit is at most one code point, so the prefix below never cuts what would have been kept.
  const points = Array.from(boundedEnds(text, maximum).replace(UNPRINTABLE, "\uFFFD"));
  if (points.length <= maximum) return points.join("");
  const head = Math.ceil((maximum - 1) / 2);
  const tail = maximum - 1 - head;
  return `${points.slice(0, head).join("")}…${points.slice(points.length - tail).join("")}`;
}

function boundedEnds(text: string, maximum: number): string {
  const keep = 2 * maximum;
  return text.length <= 2 * keep ? text : text.slice(0, keep) + text.slice(text.length - keep);
}
