import { findReferenceProblem } from "@core/config";
import * as z from "zod";
import { limits } from "../limits.ts";

/** One server as it is configured. Its texts still hold references; only `channel/resolve.ts` replaces them. */
export type ServerDefinition = StdioDefinition | HttpDefinition;

interface Definition {
  readonly name: string;
  /** Milliseconds; zero and less mean the default. */
  readonly requestTimeoutMs?: number;
  readonly reconnect: ReconnectPolicy;
}

export interface StdioDefinition extends Definition {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface HttpDefinition extends Definition {
  readonly kind: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ReconnectPolicy {
  /** Whether a lost connection is made anew without being asked for. */
  readonly automatic: boolean;
  /** Connects that one reconnect tries. */
  readonly maxAttempts: number;
  readonly baseDelayMs: number;
}

/** RFC 9110: a field name is a token (§5.6.2), a field value holds no control characters but the tab (§5.5). */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** What belongs to the connection and not to the request (RFC 9110 §7.6.1), or is set by whoever sends it. */
const HOP_HEADERS: ReadonlySet<string> = new Set(
  "connection content-length expect host keep-alive te trailer transfer-encoding upgrade".split(
    " ",
  ),
);

/** What other clients' files hold and these do not, with what to do instead. */
const FOREIGN_FIELDS: Readonly<Record<string, string>> = {
  type: "is not used here; remove it: command makes a stdio server and url a Streamable HTTP one",
  transport:
    "is not used here; remove it: command makes a stdio server and url a Streamable HTTP one",
  disabled: "is not used here; to disable a server, remove its entry or leave its name unused",
};

const text = z.string().regex(/\S/, { error: "must not be blank" });

const reconnect = z.strictObject({
  automatic: z.boolean().default(false),
  maxAttempts: z.int().min(1).max(limits.maxReconnectAttempts).default(1),
  baseDelayMs: z
    .int()
    .min(limits.minReconnectDelayMs)
    .max(limits.maxReconnectDelayMs)
    .default(limits.minReconnectDelayMs),
});

const fields = z.strictObject({
  command: text.optional(),
  args: z.array(z.string()).optional(),
  cwd: text.optional(),
  env: z.record(z.string(), z.string()).superRefine(checkEnvironment).optional(),
  url: text.refine(isHttpUrl, { error: "must be an http or https URL" }).optional(),
  headers: z.record(z.string(), z.string()).superRefine(checkHeaders).optional(),
  lifecycle: z
    .literal("lazy", {
      error:
        "must be lazy: every server starts on first use, and other lifecycles are not supported",
    })
    .optional(),
  requestTimeoutMs: z.int().max(limits.maxTimeoutMs).optional(),
  reconnect: reconnect.optional(),
});

type Fields = z.output<typeof fields>;

/** One entry of `mcpServers` (A6, A8). */
export const entrySchema = z
  .record(z.string(), z.unknown())
  .superRefine(refuseForeignFields)
  .pipe(fields.superRefine(requireOneTransport));

/** The file around the entries: what is wrong here makes the whole file unusable (A5). */
export const fileSchema = z.strictObject({
  mcpServers: z
    .record(z.string(), z.unknown())
    .refine((servers) => Object.keys(servers).length <= limits.maxConfigServers, {
      error: `must have at most ${limits.maxConfigServers} servers`,
    }),
});

/** Why a name cannot be a server's; undefined if it can. */
export function nameProblem(name: string): string | undefined {
  if (name.trim() === "") return "a server's name must not be blank";
  if (name.trim() !== name) return "a server's name must not begin or end with a blank";
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return "a server's name must not hold control characters";
  return undefined;
}

/** The checked fields of an entry as a definition. */
export function toDefinition(name: string, entry: Fields): ServerDefinition {
  const { command, args = [], cwd, env = {}, url, headers = {}, requestTimeoutMs } = entry;
  const common = {
    name,
    reconnect: entry.reconnect ?? reconnect.parse({}),
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
  };
  if (command === undefined) return { ...common, kind: "http", url: url as string, headers };
  const place = cwd === undefined ? {} : { cwd };
  return { ...common, kind: "stdio", command, args, ...place, env };
}

type Context = z.core.$RefinementCtx;

function refuse(context: Context, path: string[], message: string): void {
  context.addIssue({ code: "custom", path, message });
}

function refuseForeignFields(entry: Record<string, unknown>, context: Context): void {
  for (const [field, advice] of Object.entries(FOREIGN_FIELDS))
    if (Object.hasOwn(entry, field)) refuse(context, [field], advice);
}

function requireOneTransport(entry: Fields, context: Context): void {
  const { command, url } = entry;
  if (command !== undefined && url !== undefined)
    refuse(context, ["url"], "cannot stand beside command; keep one of the two");
  else if (command !== undefined) refuseStrangers(entry, "stdio", ["headers"], context);
  else if (url !== undefined) refuseStrangers(entry, "HTTP", ["args", "cwd", "env"], context);
  else refuse(context, [], "must have either command (stdio) or url (HTTP)");
}

function refuseStrangers(
  entry: Fields,
  transport: string,
  strangers: readonly (keyof Fields)[],
  context: Context,
): void {
  for (const field of strangers)
    if (entry[field] !== undefined)
      refuse(context, [field], `does not belong to the ${transport} transport; remove it`);
}

function checkEnvironment(env: Record<string, string>, context: Context): void {
  for (const [key, value] of Object.entries(env)) {
    if (key === "" || /[=\0]/.test(key))
      refuse(context, [key], "a variable's name must not be empty or hold an equals sign");
    else if (value.includes("\0")) refuse(context, [key], "must not hold a NUL character");
    else refuseLiteral("env", key, value, context);
  }
}

function checkHeaders(headers: Record<string, string>, context: Context): void {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!HEADER_NAME.test(name))
      refuse(context, [name], "is no name that HTTP allows for a header");
    else if (HOP_HEADERS.has(lower)) refuse(context, [name], "is set by the connection itself");
    else if (seen.has(lower)) refuse(context, [name], "stands twice in another case; keep one");
    else if (!HEADER_VALUE.test(value))
      refuse(context, [name], "holds a character that HTTP forbids in a header");
    else refuseLiteral("header", name, value, context);
    seen.add(lower);
  }
}

function refuseLiteral(kind: "env" | "header", key: string, value: string, context: Context): void {
  const problem = findReferenceProblem(kind, key, value);
  if (problem !== undefined) refuse(context, [key], problem.reason);
}

function isHttpUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
