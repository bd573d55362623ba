import { createSlots } from "../upstream/slots.ts";

/** The calls of one session that wait for their servers. */
export interface InFlight {
  /** Notes a call under its client's id, and returns what to run when it is over. */
  add(id: string, cancel: () => void): () => void;
  /**
   * Cancels the call of this id. Some clients send one id for several calls at a time: then no call is cancelled, because
   * the wrong one might be.
   */
  cancel(id: string): void;
  cancelAll(): void;
  readonly size: number;
}

export function createInFlight(): InFlight {
  const calls = createSlots<{ readonly id: string; readonly cancel: () => void }>();
  return {
    add(id, cancel) {
      const number = calls.add({ id, cancel });
      return () => calls.take(number);
    },
    cancel(id) {
      const [named, ...others] = calls.entries().filter(([, call]) => call.id === id);
      if (others.length === 0) named?.[1].cancel();
    },
    cancelAll() {
      for (const [, call] of calls.entries()) call.cancel();
    },
    get size() {
      return calls.size;
    },
  };
}
