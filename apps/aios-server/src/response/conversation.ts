import { idKey, type Oversize } from "@core/wire";
import {
  answerOversize,
  answerRepeated,
  answerRequest,
  type Identity,
  type Request,
  readLine,
} from "./rpc.ts";

/** What is said over one pair of streams. Calls run side by side and are answered as each is done (S19). */
export interface Conversation {
  /** Takes one line; what it asks for is answered once it is done, unless it is cancelled before. */
  receive(line: Buffer): void;
  receiveOversize(oversize: Oversize, maxBytes: number): void;
  /** Cancels every call that still runs: nobody is left to answer. */
  cancelAll(): void;
  /** Resolves when no call runs any more. */
  idle(): Promise<void>;
}

/** Starts a conversation that answers through `send`. */
export function createConversation(
  identity: Identity,
  send: (answer: string) => void,
): Conversation {
  const running = new Map<string, { controller: AbortController; done: Promise<void> }>();

  function start(request: Request): void {
    const key = idKey(request.id);
    if (running.has(key)) {
      send(answerRepeated(request));
      return;
    }
    const controller = new AbortController();
    const { signal } = controller;
    const done = answerRequest(request, identity, signal).then((answer) => {
      running.delete(key);
      // A cancelled request gets no answer, whatever came of it (MCP, Cancellation).
      if (!signal.aborted) send(answer);
    });
    running.set(key, { controller, done });
  }

  return {
    receive(line) {
      const read = readLine(line);
      if (read.kind === "request") start(read.request);
      if (read.kind === "cancel") running.get(idKey(read.id))?.controller.abort();
      if (read.kind === "refused") send(read.answer);
    },
    receiveOversize: (oversize, maxBytes) => send(answerOversize(oversize, maxBytes)),
    cancelAll() {
      for (const { controller } of running.values()) controller.abort();
    },
    async idle() {
      while (running.size > 0) await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
