import fc from "fast-check";

/** How many inputs a property gets: as many as FUZZ_RUNS says in the long run, else these few. */
export function fuzzRuns(few: number): number {
  return Number(process.env.FUZZ_RUNS ?? few);
}

/** How many inputs in all, and how many at most share a batch. */
export interface FuzzBatches {
  readonly inputs: number;
  readonly size: number;
}

/** A batch that fails by a timeout takes long to be shrunk: after this the shortest so far is shown. */
const MAX_SHRINK_MS = 15_000;

/**
 * Checks a property of many inputs at once, such as those that one process gets. A failing batch is shrunk to the fewest
 * and simplest inputs that still fail. The length of a batch is even between none and `size`.
 */
export async function fuzzBatches<T>(
  input: fc.Arbitrary<T>,
  { inputs, size }: FuzzBatches,
  check: (inputs: T[]) => Promise<void>,
): Promise<void> {
  const { reporter = throwIfFailed } = fc.readConfigureGlobal();
  let tried = 0;
  const batch = fc.noBias(fc.array(input, { maxLength: size, size: "max" }));
  let failedAt: number | undefined;
  const property = fc.asyncProperty(batch, async (given) => {
    if (failedAt !== undefined && Date.now() - failedAt > MAX_SHRINK_MS) return;
    tried += given.length;
    try {
      await check(given);
    } catch (error) {
      failedAt ??= Date.now();
      throw error;
    }
  });
  await fc.assert(property, {
    // Half of `size` on average; a tenth more, so that chance does not leave too few.
    numRuns: Math.ceil((2.2 * inputs) / size),
    // The reporter of all properties looks at no value.
    reporter: (out) => reporter({ ...out, numRuns: tried } as unknown as fc.RunDetails<unknown>),
  });
}

/** Throws where a property has failed, with the seed, the path and the shortest counterexample. */
export function throwIfFailed<T>(out: fc.RunDetails<T>): void {
  if (out.failed) throw new Error(fc.defaultReportMessage(out), { cause: out.errorInstance });
}

/** What the batches of a property are tried on, one after the other. */
export interface FuzzSubject<T> extends AsyncDisposable {
  /** Starts it if it does not run. After a failure it is ended, so that what a batch left behind decides nothing later. */
  use(check: (subject: T) => Promise<void>): Promise<void>;
}

export function createSubject<T extends AsyncDisposable>(start: () => Promise<T>): FuzzSubject<T> {
  let running: T | undefined;
  const end = async () => {
    const ending = running;
    running = undefined;
    await ending?.[Symbol.asyncDispose]();
  };
  return {
    async use(check) {
      running ??= await start();
      try {
        await check(running);
      } catch (error) {
        await end();
        throw error;
      }
    },
    [Symbol.asyncDispose]: end,
  };
}

/** Those of `wanted` that do not stand in `given` as often. */
export function missingFrom(wanted: readonly string[], given: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const one of given) left.set(one, (left.get(one) ?? 0) + 1);
  return wanted.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count <= 0;
  });
}
