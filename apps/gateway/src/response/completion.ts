import { countBytes, type JsonMember, readElements, readMembers } from "@core/bounds";
import { editMembers, splice } from "@core/wire";
import type { Size } from "./size.ts";

/**
 * The `completion` of a result with as many of its values as fit, as JSON text; undefined where all fit or where there is
 * none. Nobody reads the rest of it by pages: a longer prefix finds what is left out.
 */
export function boundCompletion(
  bytes: Buffer,
  members: readonly JsonMember[],
  limits: Size,
): string | undefined {
  const member = members.find(({ key, kind }) => key === "completion" && kind === "object");
  if (member === undefined) return undefined;
  const json = bytes.subarray(member.valueStart, member.valueEnd);
  const own = readMembers(json, 0);
  const list = own.find(({ key, kind }) => key === "values" && kind === "array");
  if (list === undefined) return undefined;
  const values = readElements(json, list.valueStart).map(({ valueStart, valueEnd }) =>
    json.toString("utf8", valueStart, valueEnd),
  );
  let room = limits.bytes;
  const fitting = values.slice(0, Math.min(values.length, limits.lines)).findIndex((value) => {
    room -= countBytes(value);
    return room < 0;
  });
  const count = fitting === -1 ? Math.min(values.length, limits.lines) : fitting;
  if (count === values.length) return undefined;
  const set = { values: `[${values.slice(0, count).join()}]`, hasMore: "true" };
  return splice(json, editMembers(0, own, { set })).toString("utf8");
}
