import { isUtf8 } from "node:buffer";
import {
  type Classified,
  classify,
  completeResult,
  discoverResult,
  errorAnswer,
  INVALID_PARAMS,
  INVALID_REQUEST,
  identifyOversize,
  isModernRequest,
  isObject,
  isRequestId,
  type JsonObject,
  LEGACY_VERSIONS,
  METHOD_NOT_FOUND,
  MODERN_VERSIONS,
  type Oversize,
  PARSE_ERROR,
  parseEnvelope,
  type RequestId,
  UNSUPPORTED_VERSION,
} from "@core/wire";
import type {
  CallToolResult,
  InitializeResult,
  ListToolsResult,
} from "@modelcontextprotocol/sdk/types.js";
import { reportFailure } from "./failure.ts";
import type { Tool } from "./tool.ts";

/** Who answers, and with what. */
export interface Identity {
  readonly serverInfo: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** Told of every failed call, for the log. */
  readonly onFailure: (thrown: unknown) => void;
}

export type Request = Extract<Classified, { kind: "request" }>;
type Outcome = { readonly result: JsonObject } | { readonly refusal: Refusal };

interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What a line comes to: a request, the end of one, an answer that is due at once, or nothing to do. */
export type ReadLine =
  | { readonly kind: "request"; readonly request: Request }
  | { readonly kind: "cancel"; readonly id: RequestId }
  | { readonly kind: "refused"; readonly answer: string }
  | { readonly kind: "nothing" };

const CAPABILITIES = Object.freeze({ tools: {} });

/**
 * Reads one line of JSON-RPC. Every line that is no notification and no answer itself is answered, also one that is no
 * JSON, no UTF-8 or no object (S15). No text of the caller's is ever repeated in an error.
 */
export function readLine(line: Buffer): ReadLine {
  const message = parseLine(line);
  if (message === undefined) return refuseLine(null, PARSE_ERROR, "The line is no JSON in UTF-8");
  const read = classify(message.value);
  switch (read.kind) {
    case "request":
      return { kind: "request", request: read };
    case "notification": {
      const isCancel = read.method === "notifications/cancelled";
      const id = read.params?.requestId;
      return isCancel && isRequestId(id) ? { kind: "cancel", id } : { kind: "nothing" };
    }
    case "invalid":
      return refuseLine(read.id ?? null, INVALID_REQUEST, `Invalid request: ${read.reason}`);
    case "batch":
      return refuseLine(null, INVALID_REQUEST, "Invalid request: batches are not served");
    default:
      return { kind: "nothing" };
  }
}

/** The answer to a request, as a line. Never rejects. */
export async function answerRequest(
  request: Request,
  identity: Identity,
  signal: AbortSignal,
): Promise<string> {
  const { id } = request;
  const outcome = await (isModernRequest(request)
    ? answerModern(request, identity, signal)
    : answerLegacy(request, identity, signal));
  if ("result" in outcome) return written({ jsonrpc: "2.0", id, result: outcome.result });
  const { code, message, data } = outcome.refusal;
  return refused(id, code, message, data);
}

/** The answer to a request whose id is that of one which is still running. */
export function answerRepeated({ id }: Request): string {
  return refused(id, INVALID_REQUEST, "Invalid request: one with this id is still running");
}

/** The answer to a line over the limit of bytes, which nobody read but whose ends may show whom to answer. */
export function answerOversize(oversize: Oversize, maxBytes: number): string {
  const { kind, id } = identifyOversize(oversize);
  const caller = kind === "call" && id !== undefined ? id : null;
  return refused(caller, INVALID_REQUEST, `The line is longer than ${maxBytes} bytes`);
}

function refuseLine(...error: Parameters<typeof errorAnswer>): ReadLine {
  return { kind: "refused", answer: refused(...error) };
}

function refused(...error: Parameters<typeof errorAnswer>): string {
  return written(errorAnswer(...error));
}

function written(answer: unknown): string {
  return `${JSON.stringify(answer)}\n`;
}

function parseLine(line: Buffer): { readonly value: unknown } | undefined {
  if (!isUtf8(line)) return undefined;
  try {
    return { value: JSON.parse(line.toString("utf8")) };
  } catch {
    // Where the text stops being JSON is of no use to the caller, and the system's message would repeat it.
    return undefined;
  }
}

/** Revisions 2024-11-05 … 2025-11-25: a session opens with `initialize`. */
async function answerLegacy(
  request: Request,
  identity: Identity,
  signal: AbortSignal,
): Promise<Outcome> {
  switch (request.method) {
    case "initialize":
      return { result: initializeResult(request.params, identity) };
    case "ping":
      return { result: {} };
    default:
      return answerEither(request, identity, signal);
  }
}

/** Revision 2026-07-28: every request carries its envelope. */
async function answerModern(
  request: Request,
  identity: Identity,
  signal: AbortSignal,
): Promise<Outcome> {
  const read = parseEnvelope(request.params);
  if (!read.ok) return refuse(INVALID_PARAMS, `Invalid params: _meta needs a valid ${read.key}`);
  if (!MODERN_VERSIONS.includes(read.envelope.protocolVersion))
    return refuse(UNSUPPORTED_VERSION, "Unsupported protocol version", {
      supported: MODERN_VERSIONS,
      requested: read.envelope.protocolVersion.slice(0, 32),
    });
  const outcome = await answerEither(request, identity, signal);
  if ("refusal" in outcome) return outcome;
  const { serverInfo } = identity;
  return { result: completeResult(request.method, outcome.result, { serverInfo }) };
}

async function answerEither(
  request: Request,
  identity: Identity,
  signal: AbortSignal,
): Promise<Outcome> {
  switch (request.method) {
    case "server/discover": {
      const { serverInfo, instructions } = identity;
      return { result: discoverResult({ serverInfo, instructions, capabilities: CAPABILITIES }) };
    }
    case "tools/list":
      return { result: listTools(identity) };
    case "tools/call":
      return callTool(request.params, identity, signal);
    default:
      return refuse(METHOD_NOT_FOUND, "Method not found");
  }
}

function refuse(code: number, message: string, data?: unknown): Outcome {
  return { refusal: data === undefined ? { code, message } : { code, message, data } };
}

function initializeResult(params: JsonObject | undefined, { serverInfo, instructions }: Identity) {
  const asked = params?.protocolVersion;
  const known = LEGACY_VERSIONS.find((version) => version === asked);
  return {
    protocolVersion: known ?? LEGACY_VERSIONS[0]!,
    capabilities: CAPABILITIES,
    serverInfo,
    instructions,
  } satisfies InitializeResult;
}

function listTools({ tools }: Identity) {
  return {
    tools: tools.map(({ name, title, description, inputSchema }) => ({
      name,
      title,
      description,
      inputSchema,
      annotations: { title, readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    })),
  } satisfies ListToolsResult;
}

async function callTool(
  params: JsonObject | undefined,
  { tools, onFailure }: Identity,
  signal: AbortSignal,
): Promise<Outcome> {
  const tool = tools.find(({ name }) => name === params?.name);
  if (tool === undefined) return refuse(INVALID_PARAMS, "Invalid params: no tool has this name");
  const given = params && "arguments" in params ? params.arguments : {};
  if (!isObject(given))
    return refuse(INVALID_PARAMS, "Invalid params: arguments must be an object");
  try {
    return { result: toolResult(await tool.call(given, signal), false) };
  } catch (thrown) {
    // That a cancelled call ended so is as it should be.
    if (!signal.aborted) onFailure(thrown);
    const { code, sentence } = reportFailure(thrown);
    return { result: toolResult(`${code}: ${sentence}`, true) };
  }
}

/** Text alone: a structured copy of it would double the answer past its budget (S20). */
function toolResult(text: string, isError: boolean) {
  return { content: [{ type: "text", text }], isError } satisfies CallToolResult;
}
