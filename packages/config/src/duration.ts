import * as z from "zod";
import { ConfigError, type Place } from "./error.ts";

/** The longest duration, in milliseconds: a Node timer beyond it fires at once. Source: Node `timers`. */
export const MAX_DURATION_MS = 2_147_483_647;

const PATTERN = /^(?=.)(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?(?:(\d{1,10})ms)?$/;
const UNITS_MS = [3_600_000, 60_000, 1_000, 1] as const;

const FORM = "must be a duration such as 500ms, 30s, 5m or 1h30m";
const TOO_LONG = `must be a duration of at most ${MAX_DURATION_MS} ms, which is 24 days`;

/** `500ms`, `30s`, `5m`, `1h30m` → milliseconds. Units h, m, s, ms, in this order, each at most once; no fractions. */
export function parseDuration(text: string, place: Place = {}): number {
  const duration = readDuration(text);
  if (typeof duration === "string") throw new ConfigError("INVALID_VALUE", duration, place);
  return duration;
}

/** A duration in a configuration file, as milliseconds. */
export const durationSchema = z
  .string(FORM)
  .regex(PATTERN, FORM)
  .transform((text, context) => {
    const duration = readDuration(text);
    if (typeof duration === "number") return duration;
    context.addIssue(duration);
    return z.NEVER;
  });

/** The milliseconds, or the sentence that says why there are none. */
function readDuration(text: string): number | string {
  const amounts = PATTERN.exec(text)?.slice(1);
  if (amounts === undefined) return FORM;
  const sum = UNITS_MS.reduce((total, unit, i) => total + unit * Number(amounts[i] ?? 0), 0);
  return sum > MAX_DURATION_MS ? TOO_LONG : sum;
}
