import { identifyOversize, type JsonObject, type Oversize } from "@core/wire";
import { maxAnswerBytes } from "./channel.ts";

/** A request without an answer yet, and how many bytes that may have. */
export interface AwaitedRequest {
  readonly id: number;
  readonly maxBytes: number;
}

/** The requests on a channel that wait for their answers. */
export interface Awaited {
  /** Notes a message that is being sent, if it is a request. */
  add(message: JsonObject): void;
  remove(id: unknown): void;
  /** The request that a message, of which only the ends are known, answers; undefined if none waits for it. */
  answeredBy(oversize: Oversize): AwaitedRequest | undefined;
}

export function createAwaited(): Awaited {
  const requests = new Map<unknown, AwaitedRequest>();

  /** An id that cannot be read is no riddle while one request waits. */
  function onlyOne(): AwaitedRequest | undefined {
    const [only, ...others] = requests.values();
    return others.length === 0 ? only : undefined;
  }

  return {
    add({ id, method }) {
      if (typeof id === "number" && typeof method === "string")
        requests.set(id, { id, maxBytes: maxAnswerBytes(method) });
    },
    remove: (id) => void requests.delete(id),
    answeredBy(oversize) {
      const { kind, id } = identifyOversize(oversize);
      if (kind !== "answer") return undefined;
      return id === undefined ? onlyOne() : requests.get(id);
    },
  };
}
