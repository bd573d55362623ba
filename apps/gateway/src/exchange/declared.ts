import { META_KEYS, membersOf, stringAt, textAt } from "@core/wire";
import { ASKABLE_CAPABILITIES } from "../upstream/askable.ts";
import type { ClientSession } from "../upstream/client-session.ts";
import type { Declared } from "../upstream/envelope.ts";
import type { ClientRequest } from "./client-request.ts";

type Declaring = Pick<ClientRequest, "bytes" | "message" | "session" | "modern">;

/** What the client behind a request can be asked for, each with its JSON text as a member. */
export function declaredCapabilities({ bytes, message, session, modern }: Declaring) {
  if (modern === undefined)
    return [...session.capabilities]
      .filter((name) => ASKABLE_CAPABILITIES.includes(name))
      .map((name) => ({ name, json: `"${name}":{}` }));
  return membersOf(bytes, message.meta[META_KEYS.clientCapabilities])
    .filter(({ key, kind }) => kind === "object" && ASKABLE_CAPABILITIES.includes(key))
    .map((member) => ({ name: member.key, json: `"${member.key}":${textAt(bytes, member)}` }));
}

/** The log level that a modern request asks for. */
export function askedLogLevel({ bytes, message }: Declaring): string | undefined {
  return stringAt(bytes, message.meta[META_KEYS.logLevel]);
}

/** Older clients hear of what is not for debugging until they set a level. */
const USUAL_LEVEL = "info";

/** What a modern server is to hear of the client behind a request. */
export function declaredBy(
  client: Declaring,
  levelOf: (session: ClientSession) => string | undefined,
): Declared {
  const level =
    client.modern === undefined ? (levelOf(client.session) ?? USUAL_LEVEL) : askedLogLevel(client);
  return {
    capabilities: declaredCapabilities(client).map(({ json }) => json),
    logLevel: level && JSON.stringify(level),
  };
}
