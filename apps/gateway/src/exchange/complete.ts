import {
  completeResult,
  type Edit,
  META_KEYS,
  membersOf,
  readEnvelope,
  rewriteEnvelope,
} from "@core/wire";
import type { Identity } from "./initialize.ts";

/**
 * Makes an answer what a client of the modern era expects: `resultType`, the caching fields where the method has them, and
 * the gateway's name, each put in where the server has not said it itself. Every other byte stays; an error stays as it is.
 */
export function createComplete(identity: Identity): (answer: Buffer, method: string) => Buffer {
  const serverInfo = JSON.stringify(identity);
  const nameText = `${JSON.stringify(META_KEYS.serverInfo)}:${serverInfo}`;
  return (answer, method) => {
    const message = readEnvelope(answer);
    if (message.kind !== "response" || message.envelope.result?.kind !== "object") return answer;
    const members = membersOf(answer, message.envelope.result);
    const meta = members.find(({ key }) => key === "_meta");
    const set = Object.entries(completeResult(method, {}))
      .filter(([name]) => !members.some(({ key }) => key === name))
      .map(([name, value]) => [name, JSON.stringify(value)]);
    if (meta === undefined) set.push(["_meta", `{${nameText}}`]);
    const edits: Edit[] = [];
    const inner = membersOf(answer, meta);
    if (meta?.kind === "object" && !inner.some(({ key }) => key === META_KEYS.serverInfo)) {
      const at = meta.valueStart + 1;
      edits.push({ start: at, end: at, text: inner.length === 0 ? nameText : `${nameText},` });
    }
    return rewriteEnvelope(answer, message, { result: { set: Object.fromEntries(set) }, edits });
  };
}
