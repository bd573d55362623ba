import { identifyOversize, idKey, type Oversize, type RequestId } from "@core/wire";
import type { FrameErrorCode } from "../errors.ts";
import type { Adapter } from "../host.ts";
import { limits } from "../limits.ts";
import { readFrame } from "./frame.ts";

/** One host on the other side of a pipe of JSON lines. */
export interface Door {
  receive(line: Buffer): void;
  /** A line over the limit, which was not kept. */
  refuse(oversize: Oversize): void;
  /** Cancels what runs and resolves when all of it is answered. From now on lines are passed over. */
  close(): Promise<void>;
  /** Resolves when the host asks for the end, with the id of its question. */
  readonly shutdown: Promise<RequestId>;
}

export interface DoorOptions {
  readonly adapter: Pick<Adapter, "execute">;
  /** Told the host's environment before each request. */
  setEnvironment(env: Readonly<Record<string, string>>): void;
  /** Sends one line, given without its end. */
  write(line: string): void;
}

/** Answers each id once (A4): a cancelled request is answered by its own, cancelled result. */
export function createDoor({ adapter, setEnvironment, write }: DoorOptions): Door {
  const running = new Map<
    string,
    { readonly abort: () => void; readonly answered: Promise<void> }
  >();
  let isClosed = false;
  let askForEnd: (id: RequestId) => void = () => {};
  const shutdown = new Promise<RequestId>((resolve) => {
    askForEnd = resolve;
  });

  function fail(id: RequestId | null, code: FrameErrorCode, message: string): void {
    write(encode({ id, error: { code, message } }));
  }

  function execute(id: RequestId, request: unknown): void {
    const key = idKey(id);
    if (running.has(key)) {
      fail(id, "ID_IN_USE", "A request of this id still runs; give each its own");
      return;
    }
    const cancelling = new AbortController();
    const answered = adapter.execute(request, { signal: cancelling.signal }).then((result) => {
      running.delete(key);
      write(encode({ id, result }));
    });
    running.set(key, { abort: () => cancelling.abort(), answered });
  }

  return {
    shutdown,
    receive(line) {
      if (isClosed) return;
      const frame = readFrame(line);
      switch (frame.method) {
        case "execute":
          setEnvironment(frame.env);
          return execute(frame.id, frame.request);
        case "cancel":
          return running.get(idKey(frame.id))?.abort();
        case "shutdown":
          return askForEnd(frame.id);
        case undefined:
          return fail(frame.id, frame.code, frame.reason);
      }
    },
    refuse(oversize) {
      if (isClosed) return;
      const { id = null } = identifyOversize(oversize);
      fail(id, "FRAME_TOO_LONG", `A line has at most ${limits.maxFrameBytes} bytes`);
    },
    async close() {
      isClosed = true;
      for (const { abort } of running.values()) abort();
      await Promise.all([...running.values()].map(({ answered }) => answered));
    },
  };
}

/** Half a surrogate pair is no text that other languages can keep; JSON.stringify leaves it as an escape. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** One frame as a line of JSON. */
export function encode(frame: object): string {
  const json = JSON.stringify(frame);
  return json.includes("\\ud") ? json.replace(LONE_SURROGATE, "$1\ufffd") : json;
}
