import { type JsonMember, readMembers } from "@core/bounds";
import {
  type MemberChanges,
  membersOf,
  type ReadableMessage,
  readEnvelope,
  stringAt,
  textAt,
} from "@core/wire";
import { UpstreamError } from "../errors.ts";
import { MAX_INPUT_ROUNDS } from "../limits.ts";
import type { Answer } from "../upstream/answer.ts";
import { ASKABLE, ROOTS_LIST } from "../upstream/askable.ts";
import type { ClientSession } from "../upstream/client-session.ts";
import type { RequestClient } from "../upstream/request.ts";
import type { ClientRequest } from "./client-request.ts";
import { declaredCapabilities } from "./declared.ts";
import type { ServerRequests } from "./server-request.ts";

/**
 * Goes on with a request of which a modern server says that it needs more (MCP 2026-07-28, multi round-trip requests). A
 * modern client is told so by the answer; an older one is asked as its revision has it, and the request is sent again with
 * what it said. Roots come from the gateway alone. Rejects with UpstreamError.
 */
export type FollowUp = (first: Answer, asked: AskedRequest) => Promise<Answer>;

interface AskedRequest {
  readonly server: string;
  readonly client: ClientRequest;
  /** How the client gets what belongs to its request. */
  readonly requester: RequestClient;
  /** Sends the request again, with these changes of its params. */
  resend(changes: MemberChanges): Promise<Answer>;
  /** Aborted when nobody waits any more; its reason is the error to reject with. */
  readonly signal: AbortSignal;
}

export interface FollowUpOptions {
  readonly serverRequests: Pick<ServerRequests, "ask" | "tell">;
  /** Whether the server may know its session's folder. */
  tellsRoots(server: string): boolean;
  rootsOf(session: ClientSession): Promise<string>;
}

interface Wanted {
  readonly key: string;
  readonly method: string;
  /** The params as JSON text. */
  readonly params: string;
}

export function createFollowUp(options: FollowUpOptions): FollowUp {
  const { serverRequests, tellsRoots, rootsOf } = options;

  /** What the client says, as JSON text. */
  const ask = ({ method, params }: Wanted, { server, requester, signal }: AskedRequest) =>
    new Promise<string>((resolve, reject) => {
      // Nothing of the call is under way at the server meanwhile.
      const from = { waiting: [requester], answer: take, pause: () => () => {} };
      const abort = () => {
        serverRequests.tell({ ...from, ...read<"notification">(CANCELLED) }, requester.session);
        reject(signal.reason);
      };
      function take(json: Buffer): void {
        signal.removeEventListener("abort", abort);
        const { message } = read<"response" | "error">(json);
        const result = message.kind === "response" ? message.envelope.result : undefined;
        if (result === undefined) reject(notGiven(server, method));
        else resolve(textAt(json, result));
      }
      signal.addEventListener("abort", abort, { once: true });
      const text = `{"jsonrpc":"2.0","id":0,"method":"${method}","params":${params}}`;
      serverRequests.ask({ ...from, ...read<"request">(text) }, requester.session);
    });

  /** The answers to give now; undefined where the client is to give them by itself. */
  const answersTo = async (wanted: readonly Wanted[], asked: AskedRequest) => {
    const { client, server } = asked;
    const declared = new Set(declaredCapabilities(client).map(({ name }) => name));
    const refused = wanted.find(({ method }) =>
      method === ROOTS_LIST ? !tellsRoots(server) : !declared.has(ASKABLE[method] ?? ""),
    );
    if (refused !== undefined) throw notGiven(server, refused.method);
    const roots = wanted.filter(({ method }) => method === ROOTS_LIST);
    // A modern client is asked once the server has its roots: its own word on them does not count.
    const now = client.modern === undefined ? wanted : roots;
    if (client.modern !== undefined && roots.length === 0) return undefined;
    const given = now.map(async (one) => {
      const value = one.method === ROOTS_LIST ? rootsOf(client.session) : ask(one, asked);
      return `${JSON.stringify(one.key)}:${await value}`;
    });
    return Promise.all(given);
  };

  return async (first, asked) => {
    let answer = first;
    for (let round = 0; answer.asksForInput; round++) {
      if (round === MAX_INPUT_ROUNDS)
        throw new UpstreamError("BAD_ANSWER", `Server ${asked.server} keeps asking for input`);
      const { wanted, state } = readAnswer(answer);
      const answers = await answersTo(wanted, asked);
      if (answers === undefined) return answer;
      answer = await asked.resend(paramsWith(answers, state, asked.client));
    }
    return answer;
  };
}

/** The answers beside those that a modern client gave with its request, which the server knows by their keys. */
function paramsWith(
  answers: readonly string[],
  state: string | undefined,
  { bytes, message }: ClientRequest,
): MemberChanges {
  const own = membersOf(bytes, message.envelope.params).find(({ key }) => key === INPUT_RESPONSES);
  const earlier = own === undefined ? "" : textAt(bytes, own).trim().slice(1, -1).trim();
  const all = [...(earlier === "" ? [] : [earlier]), ...answers];
  const set = {
    ...(all.length > 0 && { [INPUT_RESPONSES]: `{${all.join()}}` }),
    ...(state !== undefined && { requestState: state }),
  };
  // The state of an earlier round is over.
  return { set, remove: (key) => key === "requestState" };
}

function readAnswer({ bytes, message }: Answer) {
  const members = membersOf(bytes, message.envelope.result);
  const find = (name: string) => members.find(({ key }) => key === name);
  const requests = find("inputRequests");
  const state = find("requestState");
  return {
    // What has another form is a request that nobody can be asked.
    wanted:
      requests === undefined || requests.kind === "object"
        ? membersOf(bytes, requests).map((member) => readWanted(bytes, member))
        : [{ key: "", method: "", params: "{}" }],
    state: state && textAt(bytes, state),
  };
}

function readWanted(bytes: Buffer, member: JsonMember): Wanted {
  const members = membersOf(bytes, member);
  const find = (name: string) => members.find(({ key }) => key === name);
  const params = find("params");
  return {
    key: member.key,
    method: stringAt(bytes, find("method")) ?? "",
    params: params?.kind === "object" ? textAt(bytes, params) : "{}",
  };
}

const INPUT_RESPONSES = "inputResponses";

/**
 * Why a client's answers to what a server asks for must not be passed on; undefined for good ones and for none. Roots are
 * the gateway's to tell, and two readers must not see two answers.
 */
export function findInputFault({ bytes, message }: Pick<ClientRequest, "bytes" | "message">) {
  const found = message.envelope.params?.members?.filter(isInputResponses) ?? NO_MEMBERS;
  const [only] = found;
  if (only === undefined) return undefined;
  if (found.length > 1 || only.key !== INPUT_RESPONSES) return "inputResponses is ambiguous";
  if (only.kind !== "object") return "inputResponses must be an object";
  const answers = membersOf(bytes, only);
  if (answers.some(({ duplicate }) => duplicate)) return "inputResponses is ambiguous";
  const isRoots = ({ kind, valueStart }: JsonMember) =>
    kind === "object" && readMembers(bytes, valueStart).some(({ key }) => key === "roots");
  return answers.some(isRoots) ? "inputResponses must not hold roots" : undefined;
}

const NO_MEMBERS: readonly JsonMember[] = [];
const IN_LOWER_CASE = INPUT_RESPONSES.toLowerCase();

/** The length first: this runs for every member of every request's params. */
function isInputResponses({ key }: JsonMember): boolean {
  return key.length === INPUT_RESPONSES.length && key.toLowerCase() === IN_LOWER_CASE;
}

const CANCELLED = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}`;

/** Reads a message of a form that is known, because the gateway has written it or judged it before. */
function read<K extends ReadableMessage["kind"]>(text: string | Buffer) {
  const bytes = Buffer.from(text);
  return { bytes, message: readEnvelope(bytes) as ReadableMessage & { readonly kind: K } };
}

function notGiven(server: string, method: string): UpstreamError {
  const what = method === "" ? "something that is no request" : method.slice(0, 100);
  return new UpstreamError(
    "BAD_ANSWER",
    `Server ${server} asks for ${what}, which this client cannot be asked for`,
  );
}
