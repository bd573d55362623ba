import type { JsonMember } from "@core/bounds";
import { membersOf, stringAt } from "@core/wire";
import { negotiateVersion } from "../exchange/initialize.ts";
import type { RequestMessage } from "./endpoint-request.ts";

/** What a client says in `initialize`. */
export interface Handshake {
  /** The revision to speak with it. */
  readonly version: string;
  /** The names of the capabilities that it declares. */
  readonly capabilities: ReadonlySet<string>;
}

export function readHandshake(body: Buffer, { envelope }: RequestMessage): Handshake {
  const params = membersOf(body, envelope.params);
  const find = (name: string): JsonMember | undefined => params.find(({ key }) => key === name);
  return {
    version: negotiateVersion(stringAt(body, find("protocolVersion"))),
    capabilities: new Set(membersOf(body, find("capabilities")).map(({ key }) => key)),
  };
}
