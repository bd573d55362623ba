import { type MessagePort, Worker } from "node:worker_threads";
import type { RawArguments } from "../arguments/fields.ts";
import { AiosError, type ErrorCode, type ErrorFields } from "../errors.ts";
import { limits } from "../limits.ts";

/** Searches in a thread of its own, one after another, so that the server can answer meanwhile (S19). */
export interface SearchThread extends AsyncDisposable {
  /** The text of an answer; rejects with `AiosError`, or with the reason of `signal`, which also ends the reading. */
  search(given: RawArguments, signal: AbortSignal): Promise<string>;
}

/** Searches in the thread where it is called. `checkpoint` throws where the search is to stop. */
export type Search = (given: RawArguments, checkpoint: () => void) => string;

interface Question {
  readonly id: number;
  readonly given: RawArguments;
  /** One number, which turns from 0 to 1 when nobody wants the answer any more. */
  readonly cancelled: Int32Array;
}

type Answer =
  | { readonly id: number; readonly text: string }
  | { readonly id: number; readonly code: ErrorCode; readonly fields: ErrorFields }
  | { readonly id: number; readonly fault: string };

interface Waiting {
  readonly resolve: (text: string) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes a thread that runs `entry`, which must call {@link answerSearches}, with `data`. It starts with the first
 * search, holds the process only while one runs, and starts anew after a crash.
 */
export function createSearchThread(entry: URL, data: unknown): SearchThread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let lastId = 0;

  function start(): Worker {
    const started = new Worker(entry, { workerData: data });
    started.on("message", receive);
    started.on("error", (error) => fail(started, error));
    started.on("exit", () => fail(started, new Error("The search thread ended")));
    return started;
  }

  function receive(answer: Answer): void {
    const asker = waiting.get(answer.id);
    if ("text" in answer) asker?.resolve(answer.text);
    else asker?.reject(errorOf(answer));
  }

  function fail(failed: Worker, error: Error): void {
    if (worker !== failed) return;
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
  }

  function search(given: RawArguments, signal: AbortSignal): Promise<string> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (waiting.size > limits.maxWaitingSearches)
      return Promise.reject(
        new AiosError("SEARCHES_WAITING", { rule: String(limits.maxWaitingSearches) }),
      );
    const id = ++lastId;
    const cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    worker ??= start();
    const asked = worker;
    const cancel = () => {
      Atomics.store(cancelled, 0, 1);
      waiting.get(id)?.reject(signal.reason);
    };
    const answered = new Promise<string>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
    });
    signal.addEventListener("abort", cancel);
    asked.ref();
    asked.postMessage({ id, given, cancelled } satisfies Question);
    return answered.finally(() => {
      signal.removeEventListener("abort", cancel);
      waiting.delete(id);
      if (waiting.size === 0) asked.unref();
    });
  }

  return {
    search,
    async [Symbol.asyncDispose]() {
      const last = worker;
      worker = undefined;
      for (const { reject } of waiting.values()) reject(new Error("The server has ended"));
      await last?.terminate();
    },
  };
}

function errorOf(answer: Exclude<Answer, { readonly text: string }>): Error {
  return "code" in answer ? new AiosError(answer.code, answer.fields) : new Error(answer.fault);
}

/** The other side: answers what comes through the thread's own port. */
export function answerSearches(port: MessagePort, search: Search): void {
  port.on("message", ({ id, given, cancelled }: Question) => {
    try {
      const text = search(given, () => {
        if (Atomics.load(cancelled, 0) === 1) throw new Cancelled();
      });
      port.postMessage({ id, text } satisfies Answer);
    } catch (error) {
      if (!(error instanceof Cancelled)) port.postMessage(failureOf(id, error));
    }
  });
}

class Cancelled extends Error {}

function failureOf(id: number, error: unknown): Answer {
  if (error instanceof AiosError) return { id, code: error.code, fields: error.fields };
  // For the log alone.
  return { id, fault: error instanceof Error ? String(error.stack) : String(error) };
}
