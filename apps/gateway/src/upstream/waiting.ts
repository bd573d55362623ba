import type { UpstreamError } from "../errors.ts";
import { MAX_TIMEOUT_RESETS } from "../limits.ts";
import type { Answer } from "./answer.ts";
import type { OutgoingRequest, RequestClient } from "./request.ts";
import { createSlots } from "./slots.ts";

/** A request that was sent and has no answer yet. */
export interface WaitingRequest {
  readonly request: OutgoingRequest;
  resolve(answer: Answer): void;
  reject(error: UpstreamError): void;
}

/** The requests that wait for one server, each with its time. */
export interface Waiting {
  /** Starts a request's time, and tells the id that it is sent under. */
  add(waiting: WaitingRequest): number;
  get(id: number): WaitingRequest | undefined;
  /** Removes a request; whatever comes for it afterwards is dropped. */
  take(id: number): WaitingRequest | undefined;
  /** Starts the time of a request anew, within the total that a call may take. */
  extend(id: number): void;
  /** Gives a client's request all the time that a call may take, until what is returned is run. */
  pause(client: RequestClient): () => void;
  /** The id of the request that waits alone. */
  only(): number | undefined;
  clients(): RequestClient[];
  failAll(error: UpstreamError): void;
}

interface Timed {
  readonly waiting: WaitingRequest;
  readonly startedAt: number;
  timer: NodeJS.Timeout | undefined;
}

/** `onTimeout` is called for a request whose time is over, which still waits then. */
export function createWaiting(onTimeout: (id: number, timeoutMs: number) => void): Waiting {
  const slots = createSlots<Timed>();

  function take(id: number): WaitingRequest | undefined {
    const found = slots.take(id);
    clearTimeout(found?.timer);
    return found?.waiting;
  }

  function giveTime(id: number, found: Timed, ms: number): void {
    clearTimeout(found.timer);
    const { timeoutMs } = found.waiting.request;
    found.timer = setTimeout(() => onTimeout(id, timeoutMs), ms);
  }

  function timeLeft({ startedAt, waiting }: Timed): number {
    const total = waiting.request.timeoutMs * MAX_TIMEOUT_RESETS;
    return Math.max(0, startedAt + total - performance.now());
  }

  function extend(id: number): void {
    const found = slots.get(id);
    if (found === undefined) return;
    giveTime(id, found, Math.min(found.waiting.request.timeoutMs, timeLeft(found)));
  }

  return {
    add(waiting) {
      const timed: Timed = { waiting, startedAt: performance.now(), timer: undefined };
      const id = slots.add(timed);
      giveTime(id, timed, waiting.request.timeoutMs);
      return id;
    },
    get: (id) => slots.get(id)?.waiting,
    take,
    extend,
    pause(client) {
      const entry = slots.entries().find(([, { waiting }]) => waiting.request.client === client);
      if (entry === undefined) return () => {};
      const [id, found] = entry;
      giveTime(id, found, timeLeft(found));
      return () => extend(id);
    },
    only: () => (slots.size === 1 ? slots.entries()[0]?.[0] : undefined),
    clients: () => slots.entries().flatMap(([, { waiting }]) => waiting.request.client ?? []),
    failAll(error) {
      for (const [id] of slots.entries()) take(id)?.reject(error);
    },
  };
}
