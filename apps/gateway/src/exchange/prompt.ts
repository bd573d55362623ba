import type { JsonMember } from "@core/bounds";
import { INTERNAL_ERROR, INVALID_PARAMS, stringAt } from "@core/wire";
import { MAX_TOOL_NAME_CHARACTERS } from "../limits.ts";
import type { PermittedPrompt } from "../policy/prompt.ts";
import type { PermittedRead } from "../policy/resource.ts";
import type { ClientSession } from "../upstream/client-session.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { ClientRequest } from "./client-request.ts";
import type { RecordDenied } from "./denial.ts";
import type { Exposure } from "./exposure.ts";
import { hold } from "./hold.ts";
import { within } from "./list.ts";
import { editOf, type Relay } from "./relay.ts";

export interface PromptsOptions {
  readonly exposure: Pick<Exposure, "prompt" | "template" | "kindsOf">;
  readonly permitRead: (uri: string) => PermittedRead | undefined;
  readonly upstreams: readonly Pick<Upstream, "name" | "ready">[];
  /** Milliseconds to wait for each server whose prompts are not known yet. */
  waitFor(server: string): number;
  readonly relay: Relay;
  readonly denied: RecordDenied;
}

type Handler = (client: ClientRequest) => void;

/** Answers `prompts/get` and `completion/complete`, whose names are those that the servers' lists are exposed under. */
export function createPrompts(options: PromptsOptions): { get: Handler; complete: Handler } {
  const { exposure, permitRead, upstreams, waitFor, relay, denied } = options;

  /** Waits for the lists of prompts, by which a client's name for one is understood. */
  const readAll = (session: ClientSession) => {
    const having = upstreams.filter((one) => exposure.kindsOf(one.name).includes("prompts"));
    return Promise.all(
      having.map((one) => within(one.ready("prompts", session), waitFor(one.name))),
    );
  };
  const refuse = (client: ClientRequest, name: string | undefined, kind: string) => {
    denied(client, name);
    const shown = (name ?? "").slice(0, MAX_TOOL_NAME_CHARACTERS);
    client.reply.fail(INVALID_PARAMS, `Unknown ${kind}: ${shown}`);
  };
  const relayPrompt = (client: ClientRequest, name: string, member: JsonMember) => {
    const send = (permitted: PermittedPrompt) => {
      const { promptJson, exposed, prompt } = permitted;
      const edits = [editOf(member, promptJson)];
      relay(client, { permitted, edits, exposed, upstream: prompt });
    };
    const known = exposure.prompt(name);
    if (known !== undefined) return send(known);
    hold(client, readAll(client.session), {
      onReady() {
        const found = exposure.prompt(name);
        if (found === undefined) refuse(client, name, "prompt");
        else send(found);
      },
      onFailed: () => client.reply.fail(INTERNAL_ERROR, "The gateway failed to find the prompt"),
    });
  };

  return {
    get(client) {
      const { name } = client.message.params;
      const exposed = stringAt(client.bytes, name);
      if (name === undefined || exposed === undefined) return refuse(client, exposed, "prompt");
      relayPrompt(client, exposed, name);
    },
    complete(client) {
      const { name, uri } = client.message.ref;
      const prompt = stringAt(client.bytes, name);
      if (name !== undefined && prompt !== undefined) return relayPrompt(client, prompt, name);
      const text = stringAt(client.bytes, uri);
      const permitted =
        text === undefined ? undefined : (exposure.template(text) ?? permitRead(text));
      if (text === undefined || permitted === undefined) return refuse(client, text, "reference");
      relay(client, { permitted, edits: [], exposed: text, upstream: text });
    },
  };
}
