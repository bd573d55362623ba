import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  META_KEYS,
  RESOURCE_NOT_FOUND,
  stringAt,
} from "@core/wire";
import type { ResourcePolicy } from "../policy/resource.ts";
import { resultMessage } from "../response/message.ts";
import { isSpillUri, type Spills } from "../response/spills.ts";
import type { ClientRequest } from "./client-request.ts";
import type { RecordDenied } from "./denial.ts";
import type { Relay } from "./relay.ts";

export interface ReadResourceOptions {
  readonly resources: ResourcePolicy;
  readonly spills: Pick<Spills, "read">;
  readonly relay: Relay;
  readonly denied: RecordDenied;
}

/** Answers `resources/read`: a page of what was cut, or a server's resource as judged by the URI that is read. */
export function createReadResource(options: ReadResourceOptions): (client: ClientRequest) => void {
  const { resources, spills, relay, denied } = options;
  const readSpill = (client: ClientRequest, uri: string) => {
    const { message, session, reply } = client;
    spills
      .read(session, uri)
      .then((page) => {
        if (page === undefined) return refuseResource(client, uri);
        const result = {
          contents: [{ uri, mimeType: "text/plain", text: page.text }],
          ...(page.next !== undefined && { _meta: { "wraptool/next": page.next } }),
        };
        reply.finish(resultMessage(message.idText, JSON.stringify(result)));
      })
      .catch(() => reply.fail(INTERNAL_ERROR, "The kept answer cannot be read"));
  };

  return (client) => {
    const uri = stringAt(client.bytes, client.message.params.uri);
    if (uri !== undefined && isSpillUri(uri)) return readSpill(client, uri);
    const permitted = uri === undefined ? undefined : resources.permit(uri);
    if (permitted === undefined) {
      denied(client, uri);
      return refuseResource(client, uri);
    }
    relay(client, { permitted, edits: [], exposed: permitted.uri, upstream: permitted.uri });
  };
}

/**
 * The same for a hidden resource as for none. Revision 2026-07-28 gave up the code of its own that a missing resource had.
 */
export function refuseResource(
  { message, reply }: Pick<ClientRequest, "message" | "reply">,
  uri: string | undefined,
): void {
  const isModern = message.meta[META_KEYS.protocolVersion] !== undefined;
  const code = isModern ? INVALID_PARAMS : RESOURCE_NOT_FOUND;
  reply.fail(code, "Resource not found", { uri });
}
