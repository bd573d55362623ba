import { UpstreamError } from "../errors.ts";
import { type Connection, type ConnectionOptions, openConnection } from "./connection.ts";
import { type Era, InitializeError } from "./handshake.ts";

/**
 * Opens connections to one server in the era that it is of. A server that ends instead of an answer to its first
 * `initialize` may know only the modern era, and is started once more to be asked in it; what came of that is kept.
 */
export function createOpenInEra(): (options: ConnectionOptions) => Promise<Connection> {
  let known: Era | undefined;
  return async (options) => {
    let stopped = false;
    const onProcess: ConnectionOptions["onProcess"] = (process) =>
      options.onProcess({
        stop() {
          stopped = true;
          return process.stop();
        },
        kill() {
          stopped = true;
          process.kill();
        },
      });
    const open = async (first: Era | undefined) => {
      const connection = await openConnection({ ...options, onProcess }, first);
      known = connection.era;
      return connection;
    };
    try {
      return await open(known);
    } catch (error) {
      const first = known;
      // What stands at the command may have become another version, of the other era.
      if (known === "modern") known = undefined;
      if (first !== undefined || stopped || !endedUnasked(error)) throw error;
      known = "legacy";
      // The first end says more than what becomes of the second start.
      return await open("modern").catch(() => {
        throw error;
      });
    }
  };
}

function endedUnasked(error: unknown): boolean {
  const failed = error instanceof UpstreamError && error.code === "START_FAILED";
  return failed && !(error instanceof InitializeError);
}
