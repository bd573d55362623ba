import { quote } from "../errors.ts";
import { type Block, textBlock } from "./draft.ts";

const MOST_NAMED = 3;

/** Says what the server asked for during a request and did not get (A22); no block if there was nothing. */
export function declinedNote(methods: readonly string[]): Block[] {
  if (methods.length === 0) return [];
  const named = methods.slice(0, MOST_NAMED).map(quote).join(", ");
  return [
    textBlock(
      `[Meanwhile the server asked for ${named}, which this client does not do; it was declined]`,
    ),
  ];
}
