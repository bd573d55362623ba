import {
  isObject,
  META_KEYS,
  membersOf,
  type RelayMessage,
  resultKind,
  stringAt,
  textAt,
} from "@core/wire";
import type { Answer } from "./answer.ts";
import { ASKABLE } from "./askable.ts";

const CAPABILITIES: ReadonlySet<string> = new Set(Object.values(ASKABLE));

/**
 * What a modern client declares with its request that servers may ask it for, as JSON text. Undefined for a client with
 * sessions, which an answer cannot ask.
 */
export function declaredInput(
  request: Buffer,
  { meta }: RelayMessage & { readonly kind: "request" },
): string | undefined {
  if (meta[META_KEYS.protocolVersion] === undefined) return undefined;
  const declared = new Map<string, string>();
  for (const member of membersOf(request, meta[META_KEYS.clientCapabilities]))
    if (CAPABILITIES.has(member.key)) declared.set(member.key, textAt(request, member));
  return `{${[...declared].map(([key, json]) => `"${key}":${json}`).join(",")}}`;
}

/**
 * Why an answer cannot go to its client: it asks for input (MCP 2026-07-28, `input_required`), and the client cannot give
 * it. Undefined for every other answer.
 */
export function inputProblem({ bytes, message }: Answer, declared?: string): string | undefined {
  const members = membersOf(bytes, message.envelope.result);
  const resultType = stringAt(
    bytes,
    members.find(({ key }) => key === "resultType"),
  );
  if (resultType === undefined || resultKind({ resultType }) !== "input_required") return undefined;
  if (declared === undefined) return "asks for input, which its client cannot give by answering";
  const requests = members.find(({ key }) => key === "inputRequests");
  const asked: unknown = requests === undefined ? {} : JSON.parse(textAt(bytes, requests));
  const isDeclared = createIsDeclared(declared);
  const all = isObject(asked) ? Object.values(asked) : [asked];
  return all.every(isDeclared)
    ? undefined
    : "asks for input that its client has not declared to give";
}

function createIsDeclared(declared: string): (request: unknown) => boolean {
  const capabilities: object = JSON.parse(declared);
  return (request) => {
    const method = isObject(request) ? String(request.method) : "";
    const capability = Object.hasOwn(ASKABLE, method) ? ASKABLE[method] : undefined;
    return capability !== undefined && Object.hasOwn(capabilities, capability);
  };
}
