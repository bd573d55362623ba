import { INVALID_PARAMS, stringAt } from "@core/wire";
import { MAX_TOOL_NAME_CHARACTERS } from "../limits.ts";
import type { PermittedCall, Policy } from "../policy/policy.ts";
import type { Scrub } from "../response/scrub.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { ClientRequest } from "./client-request.ts";
import type { RecordDenied } from "./denial.ts";
import type { Exposure } from "./exposure.ts";
import { hold } from "./hold.ts";
import type { ParamHeadersOf } from "./param-headers.ts";
import { editOf, failWith, type Relay } from "./relay.ts";

export interface CallToolOptions {
  readonly policy: Policy;
  readonly exposure: Pick<Exposure, "isHidden">;
  readonly mirrored: ParamHeadersOf;
  readonly upstreams: ReadonlyMap<string, Pick<Upstream, "current" | "knows" | "ready">>;
  readonly relay: Relay;
  readonly denied: RecordDenied;
  readonly scrub: Pick<Scrub, "text">;
}

/** Answers `tools/call`: permits the tool, its arguments and what it says of itself, and has it relayed. */
export function createCallTool(options: CallToolOptions): (client: ClientRequest) => void {
  const { policy, exposure, mirrored, upstreams, relay, denied, scrub } = options;

  const refuse = (client: ClientRequest, exposed: string | undefined, call?: PermittedCall) => {
    const denial = exposed === undefined ? undefined : policy.denial(exposed);
    denied(client, exposed, call === undefined ? denial : { ...call, upstream: call.tool });
    client.reply.fail(INVALID_PARAMS, unknownTool(exposed));
  };

  /** What must be known of the tool before its call may be sent; undefined where nothing has to be waited for. */
  const toKnow = ({ server, pinned }: PermittedCall, { modern, session }: ClientRequest) => {
    const upstream = upstreams.get(server);
    // Only what the running process says of the tool counts: another start may be of another version.
    if (pinned) return upstream?.current("tools", session);
    const isKnown = modern === undefined || upstream === undefined || upstream.knows("tools");
    return isKnown ? undefined : upstream.ready("tools", session);
  };

  return (client) => {
    const { bytes, message, reply, modern } = client;
    const { name, arguments: args } = message.params;
    const exposed = stringAt(bytes, name);
    const call = exposed === undefined ? undefined : policy.permit(exposed);
    if (name === undefined || exposed === undefined || call === undefined)
      return refuse(client, exposed);
    const { server, rule, tool } = call;
    const note = (outcome: "refused" | "failed" | "cancelled") =>
      denied(client, exposed, { server, rule, upstream: tool, outcome });

    const problem = call.check?.(args && bytes.subarray(args.valueStart, args.valueEnd));
    if (problem !== undefined) {
      note("refused");
      return reply.fail(INVALID_PARAMS, `Not allowed by the rules for this tool: ${problem}`);
    }
    const send = () => {
      if (exposure.isHidden(call)) return refuse(client, exposed, call);
      const mismatch = modern?.checkHeaders(mirrored(exposed));
      if (mismatch === undefined)
        return relay(client, {
          permitted: call,
          edits: [editOf(name, call.toolJson)],
          exposed,
          upstream: tool,
        });
      note("refused");
      reply.refuse(mismatch);
    };
    const awaited = toKnow(call, client);
    if (awaited === undefined) return send();
    hold(client, awaited, {
      onReady: send,
      onFailed(error) {
        note("failed");
        failWith(reply, error, scrub);
      },
      onCancelled: () => note("cancelled"),
    });
  };
}

/** The same for a hidden tool as for none, so that a client cannot find out what is hidden. */
function unknownTool(name: string | undefined): string {
  if (name === undefined) return "params.name must be the name of a tool";
  return `Unknown tool: ${name.slice(0, MAX_TOOL_NAME_CHARACTERS)}`;
}
