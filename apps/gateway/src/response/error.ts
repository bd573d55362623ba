import { cutText, type JsonMember } from "@core/bounds";
import { editMembers, membersOf, type ReadableMessage, rewriteEnvelope } from "@core/wire";
import { allowanceFor, type Keep, noteOf } from "./notice.ts";
import { fits, less, type Size, sizeOfJson, sizeOfText, sumOf } from "./size.ts";

/** An error's message is cut, and its data left out, as text is; the line that says so stands in the message. */
export function boundError(
  answer: Buffer,
  message: ReadableMessage,
  limits: Size,
  keep: Keep,
): Buffer | Promise<Buffer> {
  const { error } = message.envelope;
  const members = membersOf(answer, error);
  const jsonOf = ({ valueStart, valueEnd }: JsonMember) => answer.subarray(valueStart, valueEnd);
  const texts = members
    .filter(({ key, kind }) => key === "message" && kind === "string")
    .map((member) => JSON.parse(jsonOf(member).toString("utf8")) as string);
  const data = members.filter(({ key }) => key === "data").map(jsonOf);
  const dataSize = sumOf(data.map(sizeOfJson));
  const size = sumOf([...texts.map(sizeOfText), dataSize]);
  if (error === undefined || fits(size, limits)) return answer;
  const [said = ""] = texts;
  const room = less(limits, allowanceFor(size, limits));
  const cut = cutText(said, { maxBytes: room.bytes, maxLines: room.lines });
  return keep([said, ...data].join("\n")).then((kept) => {
    const note = noteOf(sumOf([cut.left, dataSize]), false, kept);
    const set = { message: JSON.stringify(`${cut.text} ${note}`.trimStart()) };
    const changes = { set, remove: (key: string) => key === "data" };
    return rewriteEnvelope(answer, message, {
      edits: editMembers(error.valueStart, members, changes),
    });
  });
}
