import {
  ConfigError,
  expandReferences,
  findReferences,
  isCredentialHeader,
  isCredentialKey,
  type NamedSecret,
} from "@core/config";
import type { HttpDefinition, ServerDefinition, StdioDefinition } from "../config/schema.ts";
import { AdapterError } from "../errors.ts";

/** A definition with every reference replaced: the only value that a transport is made of. It lives as long as one connect. */
export type ResolvedServer = ResolvedStdio | ResolvedHttp;

export interface ResolvedStdio extends Pick<StdioDefinition, "kind" | "command" | "args" | "cwd"> {
  readonly env: Values;
  readonly secrets: readonly NamedSecret[];
}

export interface ResolvedHttp {
  readonly kind: "http";
  /** Without user and password, which stand in `headers`. */
  readonly url: URL;
  readonly headers: Values;
  readonly secrets: readonly NamedSecret[];
}

type Values = Readonly<Record<string, string>>;
export type Environment = Readonly<Record<string, string | undefined>>;

/** What HTTP lets stand in a header's value (RFC 9110 §5.5), as far as fetch sends it. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Replaces the references of one server by what the environment holds now. Throws an {@link AdapterError}
 * REFERENCE_UNRESOLVED that names the field and the variable, before anything is started or sent.
 */
export function resolveServer(
  definition: ServerDefinition,
  environment: Environment,
): ResolvedServer {
  try {
    return definition.kind === "stdio"
      ? resolveStdio(definition, environment)
      : resolveHttp(definition, environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new AdapterError("REFERENCE_UNRESOLVED", error.message, { cause: error });
  }
}

function resolveStdio(definition: StdioDefinition, environment: Environment): ResolvedStdio {
  const { kind, command, args, cwd, env } = definition;
  const secrets = Object.entries(env).flatMap(([key, text]) =>
    secretsIn(text, `env.${key}`, environment, isCredentialKey(key)),
  );
  const resolved = { kind, command, args, env: expandAll(env, "env", environment), secrets };
  return cwd === undefined ? resolved : { ...resolved, cwd };
}

function resolveHttp(definition: HttpDefinition, environment: Environment): ResolvedHttp {
  const headers = expandAll(definition.headers, "headers", environment);
  const secrets = Object.entries(definition.headers).flatMap(([name, text]) =>
    secretsIn(text, `headers.${name}`, environment, true),
  );
  const forbidden = Object.keys(headers).find((name) => !HEADER_VALUE.test(headers[name] ?? ""));
  if (forbidden !== undefined)
    throw new AdapterError(
      "REFERENCE_UNRESOLVED",
      `headers.${forbidden} holds, once its references are resolved, a character that HTTP forbids`,
    );
  const url = new URL(definition.url);
  secrets.push(...secretsOfUrl(url));
  return {
    kind: "http",
    url: withoutUser(url),
    headers: { ...basicHeader(url), ...headers },
    secrets,
  };
}

function expandAll(texts: Values, field: string, environment: Environment): Values {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      expandReferences(text, environment, `${field}.${key}`),
    ]),
  );
}

/** The values that a text refers to: all of them where the field itself is a credential, else those named like one. */
function secretsIn(
  text: string,
  field: string,
  environment: Environment,
  isCredential: boolean,
): NamedSecret[] {
  return findReferences(text, field)
    .filter(({ name }) => isCredential || isCredentialKey(name))
    .map(({ name }) => ({ name: `${field} (${name})`, value: environment[name] ?? "" }));
}

function secretsOfUrl(url: URL): NamedSecret[] {
  const secrets = [{ name: "url password", value: decodeURIComponent(url.password) }];
  for (const [name, value] of url.searchParams)
    if (
      /^(key|auth|sig|signature)$/i.test(name) ||
      isCredentialKey(name) ||
      isCredentialHeader(name)
    )
      secrets.push({ name: `url query ${name}`, value });
  return secrets.filter(({ value }) => value !== "");
}

/** fetch refuses a URL with a user in it; the header says the same (RFC 7617). */
function basicHeader(url: URL): Values {
  if (url.username === "" && url.password === "") return {};
  const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { authorization: `Basic ${Buffer.from(user).toString("base64")}` };
}

function withoutUser(url: URL): URL {
  const plain = new URL(url);
  plain.username = "";
  plain.password = "";
  return plain;
}
