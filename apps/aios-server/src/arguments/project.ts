import { limits } from "../limits.ts";
import { selectorField } from "./fields.ts";

/** At least one character that is not blank, and no control character (Unicode Cc) anywhere (S5). */
const PATTERN = String.raw`^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$`;

/** The `project` argument of read_working_context and resolve_skill, which is trimmed after it was admitted. */
export const projectField = selectorField("A project's folder name, id or alias.", {
  maximum: limits.maxProjectCodePoints,
  pattern: PATTERN,
  says: "more than blanks and free of control characters",
});
