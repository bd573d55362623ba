import {
  afterInitialize,
  type InitializeFailure,
  isObject,
  LEGACY_VERSIONS,
  MODERN_VERSION,
  membersOf,
  parseDiscover,
  textAt,
} from "@core/wire";
import { REFUSED, UpstreamError } from "../errors.ts";
import { DISCOVER_WAIT_MS } from "../limits.ts";
import type { Answer } from "./answer.ts";

/** Whether a server opens with `initialize`, or hears with each request whom it speaks to. */
export type Era = "legacy" | "modern";

/** What a server says of itself. */
export interface Greeting {
  readonly era: Era;
  /** Whether it tells of changes of single resources to whoever subscribes. */
  readonly subscribes: boolean;
}

export interface HandshakeOptions {
  readonly name: string;
  readonly initTimeoutMs: number;
  readonly clientInfo: object;
  readonly capabilities: object;
  /** Asks the server in the words of an era. */
  ask(era: Era, method: string, params: object, timeoutMs: number): Promise<Answer>;
  errorOf(answer: Answer): { readonly code: number | undefined; readonly text: string };
  send(message: object): void;
}

/**
 * Shakes hands, and tells in which era and what the server offers. `initialize` comes first, since nearly every server knows
 * it and a modern one only refuses it; what looks like that refusal, or silence, is worth one `server/discover` (MCP
 * 2026-07-28, compatibility). Rejects with UpstreamError.
 */
export async function shakeHands(options: HandshakeOptions, first: Era): Promise<Greeting> {
  if (first === "modern") return discover(options);
  try {
    return await initialize(options);
  } catch (error) {
    const failure = error instanceof InitializeError ? error.failure : silence(error);
    if (failure === undefined || afterInitialize(failure) !== "discover") throw error;
    // The server's word on initialize says more than what becomes of the second attempt.
    return await discover(options).catch(() => {
      throw error;
    });
  }
}

/** The server has answered `initialize`, with an error. */
export class InitializeError extends UpstreamError {
  readonly failure: InitializeFailure;

  constructor(message: string, failure: InitializeFailure) {
    super("START_FAILED", message);
    this.failure = failure;
  }
}

function silence(error: unknown): InitializeFailure | undefined {
  const isLate = error instanceof UpstreamError && error.code === "TIMEOUT";
  return isLate ? { kind: "silent" } : undefined;
}

async function initialize(options: HandshakeOptions): Promise<Greeting> {
  const { name, capabilities, clientInfo, initTimeoutMs, ask, errorOf, send } = options;
  const params = { protocolVersion: LEGACY_VERSIONS[0], capabilities, clientInfo };
  const answer = await ask("legacy", "initialize", params, initTimeoutMs);
  if (answer.message.kind === "error") {
    const { code, text } = errorOf(answer);
    const failure: InitializeFailure =
      code === undefined ? { kind: "other" } : { kind: "error", code };
    throw new InitializeError(`Server ${name}${REFUSED}${text}`, failure);
  }
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return { era: "legacy", subscribes: offersSubscriptions(answer) };
}

async function discover({ name, initTimeoutMs, ask }: HandshakeOptions): Promise<Greeting> {
  const timeoutMs = Math.min(initTimeoutMs, DISCOVER_WAIT_MS);
  const answer = await ask("modern", "server/discover", {}, timeoutMs);
  const { bytes, message } = answer;
  const whole: unknown = JSON.parse(bytes.toString("utf8"));
  const read = parseDiscover(isObject(whole) ? whole.result : undefined);
  if (message.kind === "error" || !read.ok)
    throw new UpstreamError("START_FAILED", `Server ${name} does not speak ${MODERN_VERSION}`);
  return { era: "modern", subscribes: offersSubscriptions(answer) };
}

/** Both eras say it at the same place of their answer. */
function offersSubscriptions({ bytes, message }: Answer): boolean {
  let found = message.envelope.result;
  for (const name of ["capabilities", "resources", "subscribe"])
    found = membersOf(bytes, found).find(({ key }) => key === name);
  return found !== undefined && textAt(bytes, found) === "true";
}
