import { AdapterError, quote } from "../errors.ts";
import { exampleOf, shortestExample } from "./example.ts";
import { type JsonObject, operations, type Request, type ServerRequest } from "./request.ts";
import { inputSchema, RESOURCE_REFERENCE } from "./schema.ts";

type Operation = ServerRequest["operation"];

const SHORT_FIELDS = ["search", "describe", "tool", "args"] as const;
const EXPLICIT_FIELDS = ["query", "name", "resource", "prompt", "arguments"] as const;

/** The fields that each explicit operation takes beside `server` and `operation`. */
const FIELDS_OF: Record<Operation, readonly (typeof EXPLICIT_FIELDS)[number][]> = {
  "tools.list": [],
  "tools.search": ["query"],
  "tools.describe": ["name"],
  "tools.call": ["name", "arguments"],
  "resources.list": ["query"],
  "resources.read": ["resource"],
  "prompts.list": ["query"],
  "prompts.get": ["prompt", "arguments"],
  reconnect: [],
};

/**
 * Reads what a model sent as one {@link Request}. The first rule that fails decides (A11), and each refusal, an
 * {@link AdapterError} `INVALID_REQUEST`, carries an example to `exampleServer` that has a valid shape.
 */
export function parseRequest(raw: unknown, exampleServer = "server-name"): Request {
  const refuse = refuser(exampleServer);
  if (!isObject(raw)) throw refuse("A request must be a JSON object");
  const fields = withParsedArguments(raw);
  if (Object.keys(fields).length === 0) return { operation: "status" };
  const unknown = Object.keys(fields).find((key) => !Object.hasOwn(inputSchema.properties, key));
  if (unknown !== undefined)
    throw refuse(
      `Unknown field ${quote(unknown)}; allowed are ${Object.keys(inputSchema.properties).join(", ")}`,
    );
  if (!isFilled(fields.server))
    throw refuse('A request needs "server", the name of one configured server');
  const server = fields.server.trim();
  return isAbsent(fields.operation)
    ? parseShort(server, fields, refuse)
    : parseExplicit(server, fields, refuse);
}

type Refuse = (sentence: string, operation?: Operation) => AdapterError;

function refuser(server: string): Refuse {
  return (sentence, operation) =>
    new AdapterError("INVALID_REQUEST", sentence, {
      example: operation === undefined ? shortestExample(server) : exampleOf(operation, server),
    });
}

function parseExplicit(server: string, fields: JsonObject, refuse: Refuse): Request {
  const mixed = SHORT_FIELDS.find((field) => field in fields);
  if (mixed !== undefined)
    throw refuse(`"${mixed}" cannot be used together with "operation"`, "tools.search");
  const operation = operations.find((known) => known === fields.operation);
  if (operation === undefined)
    throw refuse(`"operation" must be one of ${operations.join(", ")}`, "tools.list");
  const allowed = FIELDS_OF[operation];
  const stray = EXPLICIT_FIELDS.find((field) => field in fields && !allowed.includes(field));
  if (stray !== undefined) throw refuse(`"${stray}" does not belong to ${operation}`, operation);
  return readFields(server, operation, fields, (sentence) => refuse(sentence, operation));
}

function readFields(
  server: string,
  operation: Operation,
  fields: JsonObject,
  refuse: (sentence: string) => AdapterError,
): Request {
  const required = (field: string): string => {
    const value = fields[field];
    if (!isFilled(value)) throw refuse(`${operation} needs "${field}", a text that is not blank`);
    return value.trim();
  };
  const query = (): { query?: string } => ("query" in fields ? { query: required("query") } : {});
  const args = (): JsonObject => {
    const value = fields.arguments ?? {};
    if (!isObject(value)) throw refuse('"arguments" must be an object');
    return value;
  };
  switch (operation) {
    case "tools.list":
    case "reconnect":
      return { operation, server };
    case "tools.search":
      return { operation, server, query: required("query") };
    case "tools.describe":
      return { operation, server, name: required("name") };
    case "tools.call":
      return { operation, server, name: required("name"), arguments: args() };
    case "resources.list":
    case "prompts.list":
      return { operation, server, ...query() };
    case "resources.read":
      return { operation, server, resource: readReference(fields.resource, required, refuse) };
    case "prompts.get":
      return { operation, server, prompt: required("prompt"), arguments: texts(args(), refuse) };
  }
}

function readReference(
  value: unknown,
  required: (field: string) => string,
  refuse: (sentence: string) => AdapterError,
): string {
  required("resource");
  if (!RESOURCE_REFERENCE.test(value as string))
    throw refuse('"resource" must be a reference that resources.list gave out');
  return value as string;
}

function texts(
  args: JsonObject,
  refuse: (sentence: string) => AdapterError,
): Record<string, string> {
  if (Object.values(args).some((value) => typeof value !== "string"))
    throw refuse("Every prompt argument must be a text");
  return args as Record<string, string>;
}

function parseShort(server: string, fields: JsonObject, refuse: Refuse): Request {
  const explicit = EXPLICIT_FIELDS.find((field) => field in fields);
  if (explicit !== undefined)
    throw refuse(`"${explicit}" needs "operation"`, operationTaking(explicit));
  const chosen = (["search", "describe", "tool"] as const).filter((f) => !isAbsent(fields[f]));
  if (chosen.length > 1)
    throw refuse('Choose exactly one of "search", "describe" and "tool"', "tools.search");
  const [field] = chosen;
  if ("args" in fields && field !== "tool") throw refuse('"args" needs "tool"', "tools.call");
  if (field === undefined) return { operation: "tools.list", server };
  const value = fields[field];
  if (!isFilled(value)) throw refuse(`"${field}" must be a text that is not blank`);
  const text = value.trim();
  if (field === "search") return { operation: "tools.search", server, query: text };
  if (field === "describe") return { operation: "tools.describe", server, name: text };
  const args = "args" in fields ? fields.args : {};
  if (!isObject(args)) throw refuse('"args" must be an object', "tools.call");
  return { operation: "tools.call", server, name: text, arguments: args };
}

function operationTaking(field: (typeof EXPLICIT_FIELDS)[number]): Operation {
  return operations.find((operation) => FIELDS_OF[operation].includes(field)) ?? "tools.list";
}

/** Models send `args` as JSON text now and then: a text that holds one object is read as that object (A10). */
function withParsedArguments(fields: JsonObject): JsonObject {
  const read: Record<string, unknown> = { ...fields };
  for (const field of ["args", "arguments"] as const) {
    if (typeof read[field] !== "string") continue;
    const value = parseJson(read[field]);
    if (isObject(value)) read[field] = value;
  }
  return read;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON: the rule on arguments refuses the text as it stands
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isFilled(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
