import {
  afterInitialize,
  ChildGoneError,
  type InitializeFailure,
  type JsonObject,
  RpcError,
} from "@core/wire";
import type { EndReport } from "../channel/channel.ts";
import { AdapterError } from "../errors.ts";
import { limits } from "../limits.ts";
import { createDeadline, type Deadline } from "./deadline.ts";
import { failureOfConnect } from "./failure.ts";
import { type Agreement, discover, type Era, initialize, RevisionError } from "./handshake.ts";
import type { Line } from "./line.ts";

export interface AgreeOptions {
  /** Opens a line to the server: its process is started, or its address is ready to be used. */
  open(): Promise<Line>;
  readonly clientInfo: JsonObject;
  /** What this server turned out to speak before; undefined on its first connect. */
  readonly known: Era | undefined;
  /** Milliseconds for all of it. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Agreed extends Agreement {
  readonly line: Line;
}

/**
 * Finds out how to speak with a server (A22): `initialize` first, and `server/discover` once where the failure says that
 * this may be a modern server. On failure no line is left open. Rejects with an {@link AdapterError}.
 */
export async function agree(options: AgreeOptions): Promise<Agreed> {
  const { open, clientInfo, known, timeoutMs, signal } = options;
  let line = await open();
  const deadline = createDeadline(timeoutMs, signal);
  /** How `initialize` failed, which says more than how a question failed that was but an attempt. */
  let first: { failed: Failed; report: EndReport | undefined } | undefined;
  try {
    if (known === "modern") return { line, ...(await discover(line, deadline.signal)) };
    const tried = await tryInitialize(line, clientInfo, deadline, timeoutMs);
    if ("agreement" in tried) return { line, ...tried.agreement };
    const next = known === "legacy" ? "fail" : afterInitialize(tried.failure);
    first = { failed: tried, report: next === "restart" ? await line.close() : undefined };
    if (next === "fail") throw tried.thrown;
    if (next === "restart") line = await open();
    return { line, ...(await discover(line, deadline.signal)) };
  } catch (error) {
    const report = await line.close();
    // An answer to the question that cannot be used is the server's real trouble.
    const isUseless = error instanceof AdapterError && error.code === "CONNECT_FAILED";
    const told = isUseless ? undefined : first;
    const isSilent = told?.failed.failure.kind === "silent";
    throw failureOfConnect(told?.failed.thrown ?? error, {
      ended: deadline.ended ?? (isSilent ? "timeout" : undefined),
      timeoutMs,
      report: told?.report ?? report,
    });
  } finally {
    deadline.release();
  }
}

interface Failed {
  readonly thrown: unknown;
  readonly failure: InitializeFailure;
}

/** Silence ends early enough to leave time for the other question. */
async function tryInitialize(
  line: Line,
  clientInfo: JsonObject,
  outer: Deadline,
  timeoutMs: number,
): Promise<{ readonly agreement: Agreement } | Failed> {
  const reserve = Math.min(limits.maxDiscoverMs, timeoutMs * limits.discoverPart);
  const silence = createDeadline(timeoutMs - reserve, outer.signal);
  try {
    return { agreement: await initialize(line, clientInfo, silence.signal) };
  } catch (thrown) {
    return { thrown, failure: classifyFailure(thrown, line, silence) };
  } finally {
    silence.release();
  }
}

function classifyFailure(thrown: unknown, line: Line, silence: Deadline): InitializeFailure {
  if (silence.ended === "timeout") return { kind: "silent" };
  if (silence.ended !== undefined) return { kind: "other" };
  if (line.end !== undefined || thrown instanceof ChildGoneError) return { kind: "ended" };
  if (thrown instanceof RevisionError) return { kind: "revision", version: thrown.version };
  if (thrown instanceof RpcError) return { kind: "error", code: thrown.code };
  const isLost = thrown instanceof AdapterError && thrown.code === "CONNECTION_LOST";
  return { kind: isLost ? "ended" : "other" };
}
