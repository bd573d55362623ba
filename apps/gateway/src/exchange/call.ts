import type { JsonMember } from "@core/bounds";
import {
  CONNECTION_CLOSED,
  type Edit,
  INVALID_PARAMS,
  idKey,
  REQUEST_TIMEOUT,
  rewriteEnvelope,
  splice,
  stringAt,
  textAt,
} from "@core/wire";
import { UpstreamError } from "../errors.ts";
import { MAX_TOOL_NAME_CHARACTERS } from "../limits.ts";
import type { PermittedCall, Policy } from "../policy/policy.ts";
import type { Scrub } from "../response/scrub.ts";
import type { Answer, OutgoingRequest } from "../upstream/connection.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { ClientRequest } from "./client-request.ts";

export interface CallToolOptions {
  readonly policy: Policy;
  readonly upstreams: ReadonlyMap<string, Upstream>;
  /** Milliseconds that a call of this server may take without an answer or progress. */
  timeoutOf(server: string): number;
  readonly scrub: Scrub;
}

/**
 * Answers `tools/call`: permit, reach, scrub. Bodies pass as the bytes that they came as; only the tool's name, ids and
 * progress tokens are written anew.
 */
export function createCallTool(options: CallToolOptions): (client: ClientRequest) => void {
  const { policy, upstreams, timeoutOf, scrub } = options;
  return (client) => {
    const { bytes, message, inFlight, reply } = client;
    const name = message.params.name;
    const exposed = stringAt(bytes, name);
    const permitted = exposed === undefined ? undefined : policy.permit(exposed);
    const upstream = permitted && upstreams.get(permitted.server);
    if (name === undefined || permitted === undefined || upstream === undefined)
      return reply.fail(INVALID_PARAMS, unknownTool(exposed));

    const timeoutMs = timeoutOf(permitted.server);
    const pending = upstream.call(permitted, outgoing(client, name, permitted, timeoutMs, scrub));
    const over = inFlight.add(idKey(message.id), () => {
      pending.cancel();
      reply.end();
    });
    pending.answer
      .then((answer) => reply.finish(scrub.message(withId(answer, message.idText))))
      .catch((error: unknown) => reply.fail(errorCode(error), scrub.text(errorSentence(error))))
      .finally(over);
  };
}

/** A server's answer under the client's id. */
function withId({ bytes, message }: Answer, idText: string): Buffer {
  const { members, envelope } = message;
  // Three members and one of them the id: nothing is missing and nothing is too much for a strict reader.
  const isStrict = members.length === 3 && envelope.jsonrpc !== undefined;
  if (isStrict && envelope.id !== undefined) return splice(bytes, [edit(envelope.id, idText)]);
  return rewriteEnvelope(bytes, message, { id: idText, strict: true });
}

/** The client's request as its server is to get it. */
function outgoing(
  { bytes, message, reply }: ClientRequest,
  name: JsonMember,
  { toolJson }: PermittedCall,
  timeoutMs: number,
  scrub: Scrub,
): OutgoingRequest {
  const { id } = message.envelope;
  const token = message.meta.progressToken;
  const tokenText = token && textAt(bytes, token);
  return {
    build(ownId) {
      const edits = [edit(id as JsonMember, String(ownId)), edit(name, toolJson)];
      if (token !== undefined) edits.push(edit(token, String(ownId)));
      return splice(bytes, edits);
    },
    timeoutMs,
    onProgress(note, { params }) {
      if (tokenText === undefined || params.progressToken === undefined) return;
      reply.notify(scrub.message(splice(note, [edit(params.progressToken, tokenText)])));
    },
  };
}

function edit({ valueStart, valueEnd }: JsonMember, text: string): Edit {
  return { start: valueStart, end: valueEnd, text };
}

/** The same for a hidden tool as for none, so that a client cannot find out what is hidden. */
function unknownTool(name: string | undefined): string {
  if (name === undefined) return "params.name must be the name of a tool";
  return `Unknown tool: ${name.slice(0, MAX_TOOL_NAME_CHARACTERS)}`;
}

function errorCode(error: unknown): number {
  const late = error instanceof UpstreamError && error.code === "TIMEOUT";
  return late ? REQUEST_TIMEOUT : CONNECTION_CLOSED;
}

/** Anything but our own error is a fault of ours, whose text may hold anything. */
function errorSentence(error: unknown): string {
  return error instanceof UpstreamError ? error.message : "The gateway failed to relay the call";
}
