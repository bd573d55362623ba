import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  type TransferListItem,
  Worker,
} from "node:worker_threads";

/** A second thread that takes its turns at work which is in many pieces. */
export interface Helper {
  /** Does each piece, here by `act` or there by the actor of that name, and gives the answers in the pieces' order. */
  share<Piece, Answer extends object>(work: SharedWork<Piece, Answer>): Answer[];
}

/** Work in pieces, which may be done in any order. */
interface SharedWork<Piece, Answer> {
  readonly actor: string;
  /** What the actor is made with in the helper's thread. */
  readonly given: unknown;
  readonly pieces: readonly Piece[];
  /** How many small things there are to do in all pieces together. */
  readonly size: number;
  readonly act: (piece: Piece) => Answer;
}

/** Nobody: everything is done here. */
export const noHelper: Helper = Object.freeze({
  share: ({ pieces, act }) => pieces.map(act),
} satisfies Helper);

/** How many small things one piece holds: enough to be worth a turn, few enough to share fairly. */
const PIECE_SIZE = 256;

/** Small things in pieces, in their order. */
export function inPieces<T>(items: readonly T[]): (readonly T[])[] {
  if (items.length <= PIECE_SIZE) return items.length > 0 ? [items] : [];
  const count = Math.ceil(items.length / PIECE_SIZE);
  return Array.from({ length: count }, (_, at) =>
    items.slice(at * PIECE_SIZE, (at + 1) * PIECE_SIZE),
  );
}

/** For a smaller work, a helper is not worth its while. */
const LEAST_SIZE = 512;

/** Does pieces in the helper's thread. */
interface Actor extends Partial<Disposable> {
  act(piece: unknown): object;
  /** What of an answer is handed over and not copied. */
  transfer?(answer: object): TransferListItem[];
}

/** The actors of the helper's thread by name, each made anew for one work. */
export type Actors = Readonly<Record<string, (given: never) => Actor>>;

/** What the helper's thread is started with. */
export interface HelperData {
  readonly port: MessagePort;
  /** One number, which turns from 0 to 1 when the thread listens. */
  readonly ready: Int32Array;
}

interface Work {
  readonly id: number;
  readonly actor: string;
  readonly given: unknown;
  readonly pieces: readonly unknown[];
  readonly control: Int32Array;
}

interface Done {
  readonly id: number;
  readonly answers: readonly (readonly [at: number, answer: object])[];
}

/** Numbers of one work that both threads see: whose turn is next, and how far the helper is. */
const TURN = 0;
const STATE = 1;
const OFFERED = 0;
const BEGUN = 1;
const DONE = 2;
const WITHDRAWN = 3;
/** Longer than any piece takes: after that the helper is taken for dead and everything is done here. */
const PATIENCE_MS = 10_000;

/** Starts a thread that runs `entry`, which must call {@link help}. It holds nothing back that wants to end. */
export function startHelper(entry: URL): Helper {
  const { port1, port2 } = new MessageChannel();
  const ready = sharedNumbers(1);
  const workerData: HelperData = { port: port2, ready };
  const worker = new Worker(entry, { workerData, transferList: [port2] });
  const giveUp = () => void Atomics.store(ready, 0, 0);
  // Whatever befalls it, its work is done by the other thread.
  worker.on("error", giveUp);
  worker.on("exit", giveUp);
  worker.unref();
  port1.unref();
  return createHelper(port1, ready);
}

/** The asking side of a helper that listens at the other end of a port once it is ready. */
export function createHelper(port: MessagePort, ready: Int32Array): Helper {
  let lastId = 0;

  /** Waits for a helper that has begun, and takes in its answers. */
  function collect<Answer>(id: number, control: Int32Array, answers: Answer[]): void {
    if (Atomics.compareExchange(control, STATE, OFFERED, WITHDRAWN) === OFFERED) return;
    if (Atomics.wait(control, STATE, BEGUN, PATIENCE_MS) === "timed-out") {
      Atomics.store(ready, 0, 0);
      return;
    }
    for (let next = receive(); next !== undefined; next = receive())
      if (next.id === id) for (const [at, answer] of next.answers) answers[at] = answer as Answer;
  }

  const receive = () => receiveMessageOnPort(port)?.message as Done | undefined;

  return {
    share({ actor, given, pieces, size, act }) {
      const answers = new Array<ReturnType<typeof act>>(pieces.length);
      const id = ++lastId;
      const control = sharedNumbers(2);
      const isOffered = size >= LEAST_SIZE && Atomics.load(ready, 0) === 1;
      if (isOffered) port.postMessage({ id, actor, given, pieces, control } satisfies Work);
      try {
        takeTurns(control, pieces, (piece, at) => {
          answers[at] = act(piece);
        });
      } finally {
        // Nobody needs the rest where this side was stopped.
        Atomics.store(control, TURN, pieces.length);
        if (isOffered) collect(id, control, answers);
      }
      // What the helper took up and did not finish.
      for (const [at, piece] of pieces.entries()) answers[at] ??= act(piece);
      return answers;
    },
  };
}

/** The helping side: does pieces of whatever work comes through the port. */
export function help({ port, ready }: HelperData, actors: Actors): void {
  port.on("message", ({ id, actor, given, pieces, control }: Work) => {
    if (Atomics.compareExchange(control, STATE, OFFERED, BEGUN) !== OFFERED) return;
    const answers: [number, object][] = [];
    const handedOver: TransferListItem[] = [];
    try {
      const { act, transfer, [Symbol.dispose]: dispose } = actors[actor]!(given as never);
      try {
        takeTurns(control, pieces, (piece, at) => {
          const answer = act(piece);
          answers.push([at, answer]);
          handedOver.push(...(transfer?.(answer) ?? []));
        });
      } finally {
        dispose?.();
      }
    } catch {
      // The other side does that piece as well, and says what is wrong with it.
    }
    port.postMessage({ id, answers } satisfies Done, handedOver);
    Atomics.store(control, STATE, DONE);
    Atomics.notify(control, STATE);
  });
  Atomics.store(ready, 0, 1);
}

/** Numbers that both threads see. */
export function sharedNumbers(count: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
}

function takeTurns<Piece>(
  control: Int32Array,
  pieces: readonly Piece[],
  act: (piece: Piece, at: number) => void,
): void {
  for (
    let at = Atomics.add(control, TURN, 1);
    at < pieces.length;
    at = Atomics.add(control, TURN, 1)
  )
    act(pieces[at]!, at);
}
