import {
  type JsonMember,
  JsonSyntaxError,
  LimitError,
  readElements,
  readMembers,
  readString,
  scanJson,
} from "@core/bounds";
import { META_KEYS } from "./era.ts";
import { createKeyFinder, type Doubt } from "./key-finder.ts";
import {
  classifyObject,
  INVALID_REQUEST,
  isRequestId,
  PARSE_ERROR,
  type RequestId,
} from "./message.ts";
import { type Edit, editMembers, type MemberChanges, splice, spliceInPlace } from "./splice.ts";

const SPACE = 0x20;
const ZERO = 0x30;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
/** Members of a message, of its params and of their `_meta` each; real ones have a handful. */
const MAX_MEMBERS = 1000;
/** Messages of a batch, as in the TypeScript SDK. */
const MAX_BATCH = 100;

const ENVELOPE_KEYS = ["jsonrpc", "id", "method", "params", "result", "error"] as const;
const PARAM_KEYS = [
  "name",
  "uri",
  "arguments",
  "_meta",
  "progressToken",
  "requestId",
  "ref",
] as const;
const REF_KEYS = ["type", "name", "uri"] as const;
const META_MEMBER_KEYS: readonly string[] = ["progressToken", ...Object.values(META_KEYS)];
/** What is opened in the same scan as the message. */
const OPENED = ["params", "_meta"];

const envelopeFinder = createKeyFinder(ENVELOPE_KEYS);
const paramFinder = createKeyFinder(PARAM_KEYS);
const metaFinder = createKeyFinder(META_MEMBER_KEYS);
const refFinder = createKeyFinder(REF_KEYS);

type Members<K extends string> = Readonly<Partial<Record<K, JsonMember | undefined>>>;
const NO_MEMBERS: Members<string> = Object.freeze({});

/** Where the members stand that a relay reads. Of an answer it reads the envelope only. */
export interface MessageSpans {
  readonly envelope: Members<(typeof ENVELOPE_KEYS)[number]>;
  readonly params: Members<(typeof PARAM_KEYS)[number]>;
  /** `progressToken` and the keys of the modern envelope. */
  readonly meta: Members<string>;
  /** What a completion is asked for. */
  readonly ref: Members<(typeof REF_KEYS)[number]>;
  /** All members of the message; those of `params` and of `_meta` are the `members` of theirs. */
  readonly members: readonly JsonMember[];
}

export interface MessageId {
  readonly id: RequestId;
  /** The id as the message has it, for the way back: `12345678901234567890` is rounded in `id`. */
  readonly idText: string;
}

/** A message that every reader reads alike. */
export type ReadableMessage = MessageSpans &
  (
    | ({ readonly kind: "request"; readonly method: string } & MessageId)
    | { readonly kind: "notification"; readonly method: string }
    | ({ readonly kind: "response" } & MessageId)
    | ({ readonly kind: "error" } & (MessageId | { readonly id: null }))
  );

export type RelayMessage =
  | ReadableMessage
  | { readonly kind: "batch"; readonly messages: readonly Buffer[] }
  /** `code` is -32700 for what is no JSON, else -32600. The id is there where it is beyond doubt. */
  | ({
      readonly kind: "invalid";
      readonly code: number;
      readonly reason: string;
    } & Partial<MessageId>);

/**
 * Reads a message in one scan to spans; no body is decoded. Decides as `classify` does, and refuses what two readers
 * could take for two messages (G11): a key that policy, ids or rules read which stands twice, in another case or with
 * escapes. In an answer that goes for the envelope alone, its result may hold anything. Refused too are more than 1000
 * members at one of these levels and more than 100 messages in a batch.
 */
export function readEnvelope(bytes: Buffer): RelayMessage {
  try {
    const first = bytes[firstOffset(bytes)];
    if (first === OPEN_OBJECT) return readMessage(bytes);
    if (first === OPEN_ARRAY) return readBatch(bytes);
    scanJson(bytes, {});
    return refusal("a message must be a JSON object");
  } catch (error) {
    if (error instanceof LimitError) {
      return refusal(`a message must not hold more than ${error.maximum} ${error.limit}`);
    }
    if (!(error instanceof JsonSyntaxError)) throw error;
    return refusal(`not JSON at byte ${error.offset}: ${error.reason}`, PARSE_ERROR);
  }
}

function refusal(reason: string, code = INVALID_REQUEST, id?: MessageId): RelayMessage {
  return { kind: "invalid", code, reason, ...id };
}

function firstOffset(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length && bytes[at]! <= SPACE) at++;
  return at;
}

function readMessage(bytes: Buffer): RelayMessage {
  const members = readMembers(bytes, undefined, OPENED, MAX_MEMBERS);
  const doubts: Doubt[] = [];
  const envelope = findInEnvelope(members, doubts);
  const isCall = envelope.method !== undefined;
  const params = isCall ? findInParams(envelope.params?.members, doubts) : NO_MEMBERS;
  const meta = findInMeta(params._meta?.members, doubts);
  const ref = findInRef(params.ref && membersOf(bytes, params.ref, MAX_MEMBERS), doubts);
  const read = readId(bytes, envelope.id);
  if (doubts.length > 0) return ambiguous(doubts, read);

  const message = classifyObject({
    jsonrpc: isCall ? stringAt(bytes, envelope.jsonrpc) : undefined,
    method: isCall ? (stringAt(bytes, envelope.method) ?? null) : undefined,
    id: read?.id ?? standIn(envelope.id),
    params: standIn(envelope.params),
    result: standIn(envelope.result),
    error: standIn(envelope.error),
  });
  const { kind } = message;
  if (kind === "invalid") return refusal(message.reason, INVALID_REQUEST, read);
  // Written out and not spread: spreads were a tenth of the whole.
  if (kind === "notification") {
    return { kind, method: message.method, envelope, params, meta, ref, members };
  }
  if (read === undefined) return { kind: "error", id: null, envelope, params, meta, ref, members };
  const { id, idText } = read;
  if (kind === "request") {
    return { kind, method: message.method, id, idText, envelope, params, meta, ref, members };
  }
  return { kind, id, idText, envelope, params, meta, ref, members };
}

// Objects of one shape each are half of what writing under a computed key costs: this is the hot path.

function findInEnvelope(members: readonly JsonMember[], doubts: Doubt[]): MessageSpans["envelope"] {
  const [jsonrpc, id, method, params, result, error] = envelopeFinder.find(members, doubts);
  return { jsonrpc, id, method, params, result, error };
}

function findInParams(
  members: readonly JsonMember[] | undefined,
  doubts: Doubt[],
): MessageSpans["params"] {
  if (members === undefined) return NO_MEMBERS;
  const [name, uri, args, _meta, progressToken, requestId, ref] = paramFinder.find(members, doubts);
  return { name, uri, arguments: args, _meta, progressToken, requestId, ref };
}

function findInRef(
  members: readonly JsonMember[] | undefined,
  doubts: Doubt[],
): MessageSpans["ref"] {
  if (members === undefined) return NO_MEMBERS;
  const [type, name, uri] = refFinder.find(members, doubts);
  return { type, name, uri };
}

function findInMeta(
  members: readonly JsonMember[] | undefined,
  doubts: Doubt[],
): MessageSpans["meta"] {
  if (members === undefined) return NO_MEMBERS;
  const found = metaFinder.find(members, doubts);
  const meta: Record<string, JsonMember> = {};
  for (let place = 0; place < found.length; place++) {
    const member = found[place];
    if (member !== undefined) meta[member.key] = member;
  }
  return meta;
}

function ambiguous(doubts: readonly Doubt[], id: MessageId | undefined): RelayMessage {
  const { key, problem } = doubts[0]!;
  const isIdInDoubt = doubts.some((doubt) => doubt.key === "id");
  return refusal(`${key} ${problem}`, INVALID_REQUEST, isIdInDoubt ? undefined : id);
}

function readId(bytes: Buffer, member: JsonMember | undefined): MessageId | undefined {
  if (member?.kind !== "number" && member?.kind !== "string") return undefined;
  const digits = readDigits(bytes, member);
  if (digits !== undefined) return { id: digits, idText: String(digits) };
  const idText = textAt(bytes, member);
  const id: unknown = member.kind === "number" ? Number(idText) : JSON.parse(idText);
  return isRequestId(id) ? { id, idText } : undefined;
}

/** More could be rounded. */
const EXACT_DIGITS = 15;

/** The value of a member that is written in a few digits alone, as nearly all ids are: half of what `Number` costs. */
function readDigits(bytes: Buffer, { valueStart, valueEnd }: JsonMember): number | undefined {
  if (valueEnd - valueStart > EXACT_DIGITS) return undefined;
  let number = 0;
  for (let at = valueStart; at < valueEnd; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    number = 10 * number + digit;
  }
  return number;
}

/** For the classification, which looks at the kind of a body and not into it. */
function standIn(member: JsonMember | undefined): unknown {
  return member === undefined ? undefined : STAND_INS[member.kind];
}

/** An id that could not be read is none of these either, except for null. */
const STAND_INS = {
  object: {},
  array: [],
  string: false,
  number: false,
  boolean: false,
  null: null,
};

function readBatch(bytes: Buffer): RelayMessage {
  const elements = readElements(bytes, undefined, MAX_BATCH);
  return {
    kind: "batch",
    messages: elements.map((at) => bytes.subarray(at.valueStart, at.valueEnd)),
  };
}

/** The text of a member's value as it stands in the message. */
export function textAt(bytes: Buffer, member: JsonMember): string {
  return bytes.toString("utf8", member.valueStart, member.valueEnd);
}

/** The value of a member that is a string, decoded; undefined if it is absent or no string. */
export function stringAt(bytes: Buffer, member: JsonMember | undefined): string | undefined {
  if (member?.kind !== "string") return undefined;
  return readString(bytes, member.valueStart, member.valueEnd);
}

/** The members of a member that is an object; none if it is absent or no object. Throws `LimitError` "members". */
export function membersOf(
  bytes: Buffer,
  member: JsonMember | undefined,
  maxMembers = Infinity,
): readonly JsonMember[] {
  if (member?.kind !== "object") return [];
  return member.members ?? readMembers(bytes, member.valueStart, [], maxMembers);
}

/** What is to be different in a message. All values are JSON text. */
export interface EnvelopeChanges {
  readonly id?: string;
  /** Changes of `params`, which is made where it is missing. */
  readonly params?: MemberChanges;
  /** Changes of `params._meta`, which is made where it is missing. */
  readonly meta?: MemberChanges;
  /** Changes of `result`, where that is an object. */
  readonly result?: MemberChanges;
  /**
   * Leaves only what JSON-RPC allows beside each other and adds a missing `jsonrpc`: both SDKs drop an answer with one
   * key more, and its call hangs.
   */
  readonly strict?: boolean;
  /** Further edits, by offsets of the message. They must not overlap with the changes above. */
  readonly edits?: readonly Edit[];
  /**
   * The bytes are the caller's alone and may be written to: if all that is new fits into the place of the old, spaces
   * fill it up and nothing is copied. Not together with `edits`.
   */
  readonly inPlace?: boolean;
}

/** The message with these changes; every other byte is copied. Without changes it is `bytes` itself. */
export function rewriteEnvelope(
  bytes: Buffer,
  message: ReadableMessage,
  changes: EnvelopeChanges,
): Buffer {
  const { envelope } = message;
  const edits: Edit[] = [];
  const meta = editObject(bytes, message.params._meta, changes.meta, edits);
  const params = editObject(
    bytes,
    envelope.params,
    withMember(changes.params, "_meta", meta),
    edits,
  );
  editObject(bytes, envelope.result, changes.result, edits);
  const own: OwnChanges = changes.strict ? strictEnvelope(message) : { set: {} };
  if (params !== undefined) own.set.params = params;
  if (changes.id !== undefined) own.set.id = changes.id;
  editMembers(firstOffset(bytes), message.members, own, edits);
  if (changes.edits !== undefined) return splice(bytes, [...edits, ...changes.edits]);
  return changes.inPlace && spliceInPlace(bytes, edits) ? bytes : splice(bytes, edits);
}

/** Adds the edits inside an object. Where there is none, it gives the text of one that is to be made. */
function editObject(
  bytes: Buffer,
  member: JsonMember | undefined,
  changes: MemberChanges | undefined,
  edits: Edit[],
): string | undefined {
  if (changes === undefined) return undefined;
  if (member?.kind !== "object")
    return changes.set === undefined ? undefined : objectText(changes.set);
  editMembers(member.valueStart, membersOf(bytes, member), changes, edits);
  return undefined;
}

function objectText(members: Readonly<Record<string, string>>): string {
  return `{${Object.entries(members)
    .map(([key, json]) => `${JSON.stringify(key)}:${json}`)
    .join(",")}}`;
}

function withMember(
  changes: MemberChanges | undefined,
  key: string,
  json: string | undefined,
): MemberChanges | undefined {
  return json === undefined ? changes : { ...changes, set: { ...changes?.set, [key]: json } };
}

interface OwnChanges {
  readonly remove?: (key: string) => boolean;
  readonly set: { jsonrpc?: string; params?: string; id?: string };
}

function strictEnvelope({ kind }: ReadableMessage): OwnChanges {
  const empty = kind === "response" ? "error" : kind === "error" ? "result" : undefined;
  const allowed: readonly string[] = ENVELOPE_KEYS;
  return { remove: (key) => key === empty || !allowed.includes(key), set: { jsonrpc: '"2.0"' } };
}
