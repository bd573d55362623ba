import { durationSchema, sizeSchema } from "@core/config";
import * as z from "zod";
import {
  DEFAULT_AUDIT_BYTES,
  DEFAULT_AUDIT_KEEP,
  DEFAULT_CALL_TIMEOUT_MS,
  DEFAULT_IDLE_TIMEOUT_MS,
  DEFAULT_INIT_TIMEOUT_MS,
  DEFAULT_LIST_WAIT_MS,
  DEFAULT_LISTEN,
  DEFAULT_MAX_BODY_BYTES,
  DEFAULT_MAX_CHILDREN,
  DEFAULT_MAX_CONNECTIONS,
  DEFAULT_MAX_MESSAGE_BYTES,
  DEFAULT_MAX_OUTPUT_BYTES,
  DEFAULT_MAX_OUTPUT_LINES,
  DEFAULT_MAX_SESSIONS,
} from "../limits.ts";
import { formatAddress, parseAddress } from "./address.ts";

const text = z.string().min(1);
const duration = durationSchema.refine((ms) => ms > 0, "must be longer than 0");
const size = sizeSchema.refine((bytes) => bytes > 0, "must be greater than 0");
const count = z.int().min(1);

/** 0 is no limit, for both or for one of them. */
const outputLimits = z.union(
  [
    z.literal(0).transform(() => ({ bytes: 0, lines: 0 })),
    z.strictObject({ bytes: sizeSchema.optional(), lines: z.int().min(0).optional() }),
  ],
  { error: "must be 0 or {bytes: SIZE, lines: COUNT}" },
);

const address = text.transform((value, context) => {
  const parsed = parseAddress(value);
  if (parsed !== undefined) return parsed;
  context.addIssue("must be HOST:PORT or [IPV6]:PORT");
  return z.NEVER;
});
const oneOrMore = z
  .union([address.transform((one) => [one]), z.array(address).min(1)], {
    error: "must be HOST:PORT, [IPV6]:PORT, or a list of them",
  })
  .superRefine((list, context) => {
    // Port 0 takes another port each time.
    const names = list.map((one) => (one.port === 0 ? undefined : formatAddress(one)));
    for (const [index, name] of names.entries())
      if (name !== undefined && names.indexOf(name) < index)
        context.addIssue({ code: "custom", path: [index], message: "stands twice" });
  });

const hostName = text.regex(/^[A-Za-z0-9_.:-]+$/, "must be a host name without a port");
const origin = text.regex(/^https?:\/\/[^/]+$/, "must be an origin such as https://app.example");

const transport = z.enum(["sse", "unix"]);
const transports = z.union([transport.transform((one) => [one]), z.array(transport).min(1)], {
  error: "must be sse, unix, or a list of both",
});

const server = z.strictObject({
  transport: transports.prefault("sse"),
  listen: oneOrMore.prefault(DEFAULT_LISTEN),
  socket: text.optional(),
  auth_token_file: text.optional(),
  insecure_no_auth: z.boolean().default(false),
  allowed_hosts: z.array(hostName).default([]),
  allowed_origins: z.array(origin).default([]),
  max_body: size.default(DEFAULT_MAX_BODY_BYTES),
  max_connections: count.default(DEFAULT_MAX_CONNECTIONS),
});

const mcp = z.strictObject({
  allowed_cwd_roots: z.array(text).default([]),
  max_sessions: count.default(DEFAULT_MAX_SESSIONS),
  idle_timeout: duration.default(DEFAULT_IDLE_TIMEOUT_MS),
  list_wait: duration.default(DEFAULT_LIST_WAIT_MS),
  max_message: size.default(DEFAULT_MAX_MESSAGE_BYTES),
  max_output: outputLimits.prefault({}).transform(({ bytes, lines }) => ({
    bytes: bytes ?? DEFAULT_MAX_OUTPUT_BYTES,
    lines: lines ?? DEFAULT_MAX_OUTPUT_LINES,
  })),
});

const target = { tool: text.optional(), resource: text.optional(), prompt: text.optional() };
const namesOne = ({
  tool,
  resource,
  prompt,
}: { [K in keyof typeof target]?: string | undefined }) =>
  [tool, resource, prompt].filter((name) => name !== undefined).length === 1;
const ONE = "must name one tool, one resource or one prompt";

/** A JSON Schema of one argument; `optional` beside its keywords lets the argument be absent. */
const argument = z.union([z.boolean(), z.record(z.string(), z.unknown())], {
  error: "must be a JSON Schema",
});
const allowRule = z
  .strictObject({
    ...target,
    args: z.record(z.string(), argument).optional(),
    only: z.boolean().optional(),
    pin: z.boolean().optional(),
  })
  .refine(namesOne, ONE)
  .refine(
    ({ tool, args, only, pin }) => tool !== undefined || (args ?? only ?? pin) === undefined,
    "args, only and pin belong to a tool",
  )
  .refine(({ args, only }) => !only || args !== undefined, "only needs args");
const denyRule = z.strictObject(target).refine(namesOne, ONE);

const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "use letters, digits and underscores");

const NEEDS_SESSION = "needs isolation: session, because it differs from client to client";

const mcpServer = z
  .strictObject({
    command: text,
    args: z.array(z.string()).default([]),
    env: z.record(variable, z.string()).default({}),
    env_files: z.array(text).default([]),
    working_dir: text.optional(),
    isolation: z.enum(["shared", "session"]).default("shared"),
    roots: z.enum(["none", "session"]).default("none"),
    max_children: count.default(DEFAULT_MAX_CHILDREN),
    timeout: duration.default(DEFAULT_CALL_TIMEOUT_MS),
    init_timeout: duration.default(DEFAULT_INIT_TIMEOUT_MS),
    name_prefix: text.optional(),
    allow: z.array(allowRule).default([]),
    deny: z.array(denyRule).default([]),
    pin: z.boolean().default(false),
    max_output: outputLimits.optional(),
  })
  .refine(({ isolation, working_dir }) => isolation === "session" || working_dir !== "session", {
    path: ["working_dir"],
    error: NEEDS_SESSION,
  })
  .refine(({ isolation, roots }) => isolation === "session" || roots !== "session", {
    path: ["roots"],
    error: NEEDS_SESSION,
  });

const serverName = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,64}$/, "use 1 to 64 letters, digits, _, . or -");

const audit = z.strictObject({
  file: text,
  max_size: size.default(DEFAULT_AUDIT_BYTES),
  keep: z.int().min(0).max(1000).default(DEFAULT_AUDIT_KEEP),
});

const log = z.strictObject({
  level: z.enum(["debug", "info", "warn", "error"]).default("info"),
  format: z.enum(["text", "json"]).default("text"),
});

/** The configuration file. Durations come out in milliseconds and sizes in bytes. */
export const fileSchema = z.strictObject({
  server: server.prefault({}),
  mcp: mcp.prefault({}),
  mcp_servers: z.record(serverName, mcpServer).default({}),
  audit: audit.optional(),
  log: log.prefault({}),
});

export type ConfigFile = z.output<typeof fileSchema>;
