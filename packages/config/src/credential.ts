import { ConfigError, fieldPath, type Place } from "./error.ts";
import { type Reference, scanReferences } from "./reference.ts";

/** What may name a credential: a variable of `env`, or a header. */
export type CredentialKind = "env" | "header";

/** One row of the credential rules (A8): what marks a name as a credential's, why, and what it does and does not hit. */
export interface CredentialRule {
  /** A whole header in lower case, or words in capitals joined by `_`, which may also end a longer word. */
  readonly match: string;
  readonly scope: "header" | "key";
  readonly reason: string;
  /** Words that end like the match and mean something else. */
  readonly except: readonly string[];
  readonly hits: readonly string[];
  readonly misses: readonly string[];
}

type RuleText = Pick<CredentialRule, "reason" | "hits" | "misses"> & { except?: readonly string[] };

/**
 * The whole of the rules, as data. A key is cut into words at separators, digits and capitals (`api-key`, `apiKey`,
 * `API_KEY` are one); a row of scope "key" hits where its words are whole words or end one (`PGPASSWORD`), never where a word
 * goes on (`TOKENIZERS`, `MAX_TOKENS`). Keys of both kinds follow these rows; headers follow the header rows as well.
 */
export const credentialRules: readonly CredentialRule[] = Object.freeze([
  headerRow("authorization", {
    reason: "carries the credentials of the request itself (RFC 9110, 11.6.2)",
    hits: ["Authorization", "AUTHORIZATION"],
    misses: ["X-Authorization-Mode"],
  }),
  headerRow("proxy-authorization", {
    reason: "carries the credentials for a proxy (RFC 9110, 11.7.2)",
    hits: ["Proxy-Authorization"],
    misses: ["Proxy-Connection"],
  }),
  headerRow("cookie", {
    reason: "carries session cookies, which are as good as a login (RFC 6265, 5.4)",
    hits: ["Cookie", "cookie"],
    misses: ["X-Cookie-Consent"],
  }),
  keyRow("API_KEY", {
    reason: "the usual name of the key that a service hands out",
    hits: ["OPENAI_API_KEY", "api-key", "apiKey", "X-API-Key", "CONTEXT7_API_KEY", "API_KEY_2"],
    misses: ["API_KEYS_URL", "API_URL", "KEY"],
  }),
  keyRow("APIKEY", {
    reason: "the same name in one word",
    hits: ["APIKEY", "apikey", "MYAPIKEY", "X-Apikey"],
    misses: ["APIKEYRING"],
  }),
  keyRow("TOKEN", {
    reason: "bearer, session and access tokens: whoever holds one is let in",
    hits: ["GITHUB_TOKEN", "GITHUBTOKEN", "githubToken", "X-Auth-Token", "TOKEN2", "TOKEN_FILE"],
    misses: ["TOKENIZERS_PARALLELISM", "MAX_TOKENS", "maxTokens", "TOKENIZER"],
  }),
  keyRow("SECRET", {
    reason: "says itself what it is",
    hits: ["CLIENT_SECRET", "clientSecret", "APPSECRET", "SECRET_NAME"],
    misses: ["SECRETARY", "SECRETS_DIR"],
  }),
  keyRow("PASSWORD", {
    reason: "a password",
    hits: ["DB_PASSWORD", "PGPASSWORD", "dbPassword", "PASSWORD1"],
    misses: ["PASSWORDLESS", "PASSWORDS_FILE"],
  }),
  keyRow("PASSWD", {
    reason: "the Unix spelling of a password",
    hits: ["MYSQL_PASSWD", "DBPASSWD"],
    misses: ["PASSWDS"],
  }),
  keyRow("PWD", {
    reason:
      "the short spelling of a password; it also hits the shell's PWD, which a child gets from its cwd",
    hits: ["MYSQL_PWD", "dbPwd", "SQLPWD", "PWD"],
    misses: ["PWDX"],
  }),
  keyRow("OAUTH", {
    reason: "client ids, codes and tokens of OAuth",
    hits: ["OAUTH", "GOOGLE_OAUTH", "OAUTH2_CLIENT", "X-OAuth"],
    misses: ["OAUTHLIB_RELAX", "AUTH_MODE"],
  }),
  keyRow("CREDENTIAL", {
    reason: "says itself what it is",
    hits: ["DB_CREDENTIAL", "awsCredential", "CREDENTIAL_ID"],
    misses: ["CREDENTIALED"],
  }),
  keyRow("CREDENTIALS", {
    reason: "the same for several",
    hits: ["GOOGLE_APPLICATION_CREDENTIALS", "AWSCREDENTIALS"],
    misses: ["CREDENTIALSHIP"],
  }),
  keyRow("PRIVATE_KEY", {
    reason: "the secret half of a key pair",
    hits: ["SSH_PRIVATE_KEY", "privateKey", "PRIVATEKEY", "PRIVATE_KEY_PATH"],
    misses: ["PUBLIC_KEY", "PRIVATE_KEYS"],
  }),
  keyRow("ACCESS_KEY", {
    reason: "cloud and storage keys",
    hits: ["AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "accessKey", "ACCESSKEY"],
    misses: ["ACCESS_KEYS", "ACCESS_LOG"],
  }),
  keyRow("PAT", {
    reason: "personal access tokens",
    except: ["COMPAT", "EXPAT"],
    hits: ["GITHUB_PAT", "GITLABPAT", "pat", "AZURE_PAT_1"],
    misses: ["PATH", "PATTERN", "NODE_COMPAT", "EXPAT_VERSION"],
  }),
]);

/** Authentication schemes that may stand before a reference: registered by IANA, or customary. In lower case. */
export const authSchemes: readonly string[] = Object.freeze([
  "apikey",
  "api-key",
  "basic",
  "bearer",
  "bot",
  "digest",
  "dpop",
  "genie-key",
  "geniekey",
  "gnap",
  "jwt",
  "key",
  "negotiate",
  "oauth",
  "ssws",
  "token",
  "vapid",
]);

/** Whether a key, of `env` say, names a credential. */
export function isCredentialKey(key: string): boolean {
  return findCredentialRule("env", key) !== undefined;
}

/** Whether a header names a credential: Authorization, Cookie and Proxy-Authorization always, others like a key. */
export function isCredentialHeader(name: string): boolean {
  return findCredentialRule("header", name) !== undefined;
}

/** The first row of the rules that a name hits. */
export function findCredentialRule(kind: CredentialKind, name: string): CredentialRule | undefined {
  const header = name.toLowerCase();
  const spellings = spellingsOf(name);
  return credentialRules.find((rule) =>
    rule.scope === "header"
      ? kind === "header" && rule.match === header
      : spellings.some((spelling) => PATTERNS.get(rule)?.test(spelling)),
  );
}

/**
 * Refuses a credential that is not made of references alone, with an optional scheme before them, or for Cookie of
 * `name=reference` pairs: a ConfigError LITERAL_CREDENTIAL, or BAD_REFERENCE for a malformed reference in any value.
 * `place` defaults to the field `env.NAME` or `headers.NAME`.
 */
export function requireReference(
  kind: CredentialKind,
  name: string,
  value: string,
  place: Place = { field: fieldPath([kind === "env" ? "env" : "headers", name]) },
): void {
  const problem = findReferenceProblem(kind, name, value);
  if (problem !== undefined) throw new ConfigError(problem.code, problem.reason, place);
}

/** Like requireReference, with the fault as a value, for a schema's refinement. */
export function findReferenceProblem(
  kind: CredentialKind,
  name: string,
  value: string,
): { readonly code: "BAD_REFERENCE" | "LITERAL_CREDENTIAL"; readonly reason: string } | undefined {
  const scan = scanReferences(value);
  if ("problem" in scan) return { code: "BAD_REFERENCE", reason: scan.problem };
  const rule = findCredentialRule(kind, name);
  if (rule === undefined) return undefined;

  const literals = literalsOf(value, scan.references);
  const isCookie = rule.match === "cookie";
  if (isSchemeAndReferences(literals) || (isCookie && isCookiePairs(literals))) return undefined;
  const form = isCookie ? "name=${NAME} pairs" : "with a scheme such as Bearer before it";
  const reason = `must be a reference, $\{NAME} or ${form}, because ${rule.match} marks a credential`;
  return { code: "LITERAL_CREDENTIAL", reason };
}

/** What stands before, between and after the references: one part more than there are references. */
function literalsOf(value: string, references: readonly Reference[]): string[] {
  const starts = [0, ...references.map(({ end }) => end)];
  const ends = [...references.map(({ start }) => start), value.length];
  return starts.map((start, index) => value.slice(start, ends[index]));
}

function isSchemeAndReferences([first = "", ...rest]: readonly string[]): boolean {
  const isLead = first === "" || authSchemes.includes(SCHEME.exec(first)?.[1]?.toLowerCase() ?? "");
  return isLead && rest.length > 0 && rest.every((literal) => literal === "");
}

function isCookiePairs([first = "", ...rest]: readonly string[]): boolean {
  const between = rest.slice(0, -1);
  return (
    COOKIE_FIRST.test(first) &&
    between.every((part) => COOKIE_NEXT.test(part)) &&
    rest.at(-1) === ""
  );
}

const SCHEME = /^([A-Za-z-]+)[ \t]+$/;
// A cookie's name is a token of RFC 9110, 5.6.2.
const COOKIE_FIRST = /^(?:[\w!#$%&'*+.^`|~-]+=)?$/;
const COOKIE_NEXT = /^(?:;[ \t]*(?:[\w!#$%&'*+.^`|~-]+=)?)?$/;

/** A key in capitals with `_` between its words, cut at capitals as well and not: `passWord` is one word, `dbPassword` two. */
function spellingsOf(key: string): readonly string[] {
  const separated = key.replace(/[^A-Za-z0-9]+/g, "_").replace(/(?<=[A-Za-z])(?=[0-9])/g, "_");
  const cut = separated.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_");
  return [separated.toUpperCase(), cut.toUpperCase()];
}

const PATTERNS: ReadonlyMap<CredentialRule, RegExp> = new Map(
  credentialRules.map((rule) => [rule, patternOf(rule)]),
);

/** The words anywhere before the end of a word; two words of a row may also be written as one. */
function patternOf({ match, except }: CredentialRule): RegExp {
  const exceptions = except.map((word) => `(?<!${word.slice(0, -match.length)})`).join("");
  return new RegExp(`${exceptions}${match.replaceAll("_", "_?")}(?=_|$)`);
}

function headerRow(match: string, text: RuleText): CredentialRule {
  return Object.freeze({ match, scope: "header", except: [], ...text });
}

function keyRow(match: string, text: RuleText): CredentialRule {
  return Object.freeze({ match, scope: "key", except: [], ...text });
}
