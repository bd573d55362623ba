import { INVALID_PARAMS, stringAt } from "@core/wire";
import { MAX_TOOL_NAME_CHARACTERS } from "../limits.ts";
import type { PermittedCall, Policy } from "../policy/policy.ts";
import type { Scrub } from "../response/scrub.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { ClientRequest } from "./client-request.ts";
import type { RecordDenied } from "./denial.ts";
import type { Exposure } from "./exposure.ts";
import { editOf, failWith, type Relay } from "./relay.ts";

export interface CallToolOptions {
  readonly policy: Policy;
  readonly exposure: Pick<Exposure, "isHidden">;
  readonly upstreams: ReadonlyMap<string, Pick<Upstream, "current">>;
  readonly relay: Relay;
  readonly denied: RecordDenied;
  readonly scrub: Pick<Scrub, "text">;
}

/** Answers `tools/call`: permits the tool and its arguments, and has them relayed. */
export function createCallTool(options: CallToolOptions): (client: ClientRequest) => void {
  const { policy, exposure, upstreams, relay, denied, scrub } = options;

  const refuse = (client: ClientRequest, exposed: string | undefined, call?: PermittedCall) => {
    const denial = exposed === undefined ? undefined : policy.denial(exposed);
    denied(client, exposed, call === undefined ? denial : { ...call, upstream: call.tool });
    client.reply.fail(INVALID_PARAMS, unknownTool(exposed));
  };

  return (client) => {
    const { bytes, message, reply } = client;
    const { name, arguments: args } = message.params;
    const exposed = stringAt(bytes, name);
    const call = exposed === undefined ? undefined : policy.permit(exposed);
    if (name === undefined || exposed === undefined || call === undefined)
      return refuse(client, exposed);

    const problem = call.check?.(args && bytes.subarray(args.valueStart, args.valueEnd));
    if (problem !== undefined) {
      const { server, rule, tool } = call;
      denied(client, exposed, { server, rule, upstream: tool, outcome: "refused" });
      return reply.fail(INVALID_PARAMS, `Not allowed by the rules for this tool: ${problem}`);
    }
    const send = () =>
      relay(client, {
        permitted: call,
        edits: [editOf(name, call.toolJson)],
        exposed,
        upstream: call.tool,
      });
    if (!call.pinned) return send();
    // Only what the running process says of the tool counts: another start may be of another version.
    const judged = upstreams.get(call.server)?.current("tools", client.session);
    Promise.resolve(judged)
      .then(() => (exposure.isHidden(call) ? refuse(client, exposed, call) : send()))
      .catch((error: unknown) => {
        const { server, rule, tool } = call;
        denied(client, exposed, { server, rule, upstream: tool, outcome: "failed" });
        failWith(reply, error, scrub);
      });
  };
}

/** The same for a hidden tool as for none, so that a client cannot find out what is hidden. */
function unknownTool(name: string | undefined): string {
  if (name === undefined) return "params.name must be the name of a tool";
  return `Unknown tool: ${name.slice(0, MAX_TOOL_NAME_CHARACTERS)}`;
}
