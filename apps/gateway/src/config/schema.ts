import { durationSchema, sizeSchema } from "@core/config";
import * as z from "zod";
import {
  DEFAULT_CALL_TIMEOUT_MS,
  DEFAULT_IDLE_TIMEOUT_MS,
  DEFAULT_INIT_TIMEOUT_MS,
  DEFAULT_LIST_WAIT_MS,
  DEFAULT_LISTEN,
  DEFAULT_MAX_BODY_BYTES,
  DEFAULT_MAX_CONNECTIONS,
  DEFAULT_MAX_MESSAGE_BYTES,
  DEFAULT_MAX_SESSIONS,
} from "../limits.ts";
import { parseAddress } from "./address.ts";

/** A key of the configuration page that would have no effect is refused, so that nobody relies on it. */
const notYet = z
  .unknown()
  .refine(() => false, "is not supported yet")
  .optional();

const noOutputLimit = z
  .union([z.literal(0), z.strictObject({ bytes: z.literal(0), lines: z.literal(0) })], {
    error: "must be 0, which means no limit: limits are not supported yet",
  })
  .optional();

const text = z.string().min(1);
const duration = durationSchema.refine((ms) => ms > 0, "must be longer than 0");
const size = sizeSchema.refine((bytes) => bytes > 0, "must be greater than 0");
const count = z.int().min(1);

const address = text.transform((value, context) => {
  const parsed = parseAddress(value);
  if (parsed !== undefined) return parsed;
  context.addIssue("must be HOST:PORT or [IPV6]:PORT");
  return z.NEVER;
});
const oneOrMore = z.union([address.transform((one) => [one]), z.array(address).min(1)], {
  error: "must be HOST:PORT, [IPV6]:PORT, or a list of them",
});

const hostName = text.regex(/^[A-Za-z0-9_.:-]+$/, "must be a host name without a port");
const origin = text.regex(/^https?:\/\/[^/]+$/, "must be an origin such as https://app.example");

const server = z.strictObject({
  transport: z.literal("sse", "must be sse: unix is not supported yet").default("sse"),
  listen: oneOrMore.prefault(DEFAULT_LISTEN),
  socket: notYet,
  auth_token_file: text.optional(),
  insecure_no_auth: z.boolean().default(false),
  allowed_hosts: z.array(hostName).default([]),
  allowed_origins: z.array(origin).default([]),
  max_body: size.default(DEFAULT_MAX_BODY_BYTES),
  max_connections: count.default(DEFAULT_MAX_CONNECTIONS),
});

const mcp = z.strictObject({
  allowed_cwd_roots: notYet,
  max_sessions: count.default(DEFAULT_MAX_SESSIONS),
  idle_timeout: duration.default(DEFAULT_IDLE_TIMEOUT_MS),
  list_wait: duration.default(DEFAULT_LIST_WAIT_MS),
  max_message: size.default(DEFAULT_MAX_MESSAGE_BYTES),
  max_output: noOutputLimit,
});

const rule = z.strictObject({
  tool: text,
  resource: notYet,
  prompt: notYet,
  args: notYet,
  only: notYet,
  pin: notYet,
});

const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "use letters, digits and underscores");

const mcpServer = z.strictObject({
  command: text,
  args: z.array(z.string()).default([]),
  env: z.record(variable, z.string()).default({}),
  env_files: z.array(text).default([]),
  working_dir: text
    .refine((value) => value !== "session", '"session" is not supported yet')
    .optional(),
  isolation: z.literal("shared", "must be shared: session is not supported yet").default("shared"),
  roots: z.literal("none", "must be none: session is not supported yet").default("none"),
  max_children: notYet,
  timeout: duration.default(DEFAULT_CALL_TIMEOUT_MS),
  init_timeout: duration.default(DEFAULT_INIT_TIMEOUT_MS),
  name_prefix: text.optional(),
  allow: z.array(rule).default([]),
  deny: z.array(rule).default([]),
  pin: notYet,
  max_output: noOutputLimit,
});

const serverName = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,64}$/, "use 1 to 64 letters, digits, _, . or -");

const log = z.strictObject({
  level: z.enum(["debug", "info", "warn", "error"]).default("info"),
  format: z.enum(["text", "json"]).default("text"),
});

/** The configuration file. Durations come out in milliseconds and sizes in bytes. */
export const fileSchema = z.strictObject({
  server: server.prefault({}),
  mcp: mcp.prefault({}),
  mcp_servers: z.record(serverName, mcpServer).default({}),
  audit: notYet,
  log: log.prefault({}),
});

export type ConfigFile = z.output<typeof fileSchema>;
