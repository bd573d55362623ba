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
  const calls = new Set<{ readonly id: string; readonly cancel: () => void }>();
  return {
    add(id, cancel) {
      const call = { id, cancel };
      calls.add(call);
      return () => calls.delete(call);
    },
    cancel(id) {
      const named = [...calls].filter((call) => call.id === id);
      if (named.length === 1) named[0]?.cancel();
    },
    cancelAll() {
      for (const call of calls) call.cancel();
    },
    get size() {
      return calls.size;
    },
  };
}
