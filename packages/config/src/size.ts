import * as z from "zod";
import { ConfigError, type Place } from "./error.ts";

const PATTERN = /^(\d{1,16})(B|KiB|MiB|GiB)?$/;
const UNIT_BYTES: Readonly<Record<string, number>> = {
  B: 1,
  KiB: 1_024,
  MiB: 1_024 ** 2,
  GiB: 1_024 ** 3,
};

const FORM = "must be a size such as 64KiB, 4MiB, 1GiB or a plain number of bytes";
const TOO_LARGE = "must be a size that a number holds exactly, at most 8388607GiB";

/** `4MiB`, `64KiB`, `1GiB`, `512B`, `512`, or a number → bytes. Powers of 1,024 only; no fractions, 0 is a size. */
export function parseSize(size: string | number, place: Place = {}): number {
  const bytes = readSize(size);
  if (typeof bytes === "string") throw new ConfigError("INVALID_VALUE", bytes, place);
  return bytes;
}

/** A size in a configuration file, as bytes. */
export const sizeSchema = z
  .union([z.int(FORM).min(0, FORM), z.string().regex(PATTERN, FORM)], FORM)
  .transform((size, context) => {
    const bytes = readSize(size);
    if (typeof bytes === "number") return bytes;
    context.addIssue(bytes);
    return z.NEVER;
  });

/** The bytes, or the sentence that says why there are none. */
function readSize(size: string | number): number | string {
  const match = PATTERN.exec(String(size));
  if (match === null) return FORM;
  const bytes = Number(match[1]) * (UNIT_BYTES[match[2] ?? "B"] ?? 1);
  return Number.isSafeInteger(bytes) ? bytes : TOO_LARGE;
}
