import { randomBytes } from "node:crypto";
import { startOfProcess } from "@core/bounds";
import { describeFailure, type Report } from "@core/terminal";
import { windowsPipe } from "./config/socket.ts";
import { keepRecord, type OwnRecord } from "./daemon/record.ts";
import { openReloadDoor } from "./daemon/reload-door.ts";
import { readSessionKey } from "./daemon/session-key.ts";
import { endingSignal, stopSignals } from "./daemon/stop-signals.ts";
import type { Identity } from "./exchange/initialize.ts";
import { type Gateway, startGateway } from "./gateway.ts";
import type { Prepared } from "./prepared.ts";

/** What the daemon remembers beyond its process, for the configuration that it serves. */
export interface DaemonFiles {
  readonly record: string;
  readonly pins: string;
  readonly sessionKey: string;
}

export interface DaemonOptions {
  readonly identity: Identity;
  readonly files: DaemonFiles;
  readonly report: Pick<Report, "warn">;
  /** Reads the configuration again. Rejects with ConfigError. */
  prepare(): Promise<Prepared>;
}

/** Serves in this process until a signal ends it. Rejects with StartError. */
export async function runDaemon(prepared: Prepared, options: DaemonOptions): Promise<void> {
  const { identity, files, report, prepare } = options;
  const start = (await startOfProcess(process.pid)) ?? "";
  let record: OwnRecord | undefined;
  let listeners: readonly string[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const reload = async (gateway: Gateway) => {
    try {
      const next = await prepare();
      await gateway.reload(next);
      gateway.log.info("reloaded the configuration");
      record?.noteReload({ listeners, tokenFile: next.config.server.tokenFile });
    } catch (error) {
      const { message } = describeFailure(error);
      gateway.log.warn(`the configuration stays as it was: ${message}`);
      record?.noteReload({ error: message });
    }
  };
  const door = await openReloadDoor({
    platform: process.platform,
    signals: process,
    pipePath: windowsPipe,
    randomBytes,
    // One after another, and the first once the gateway serves.
    onAsk() {
      last = last.then(() => starting.then(reload, () => {}));
    },
    onFault: report.warn,
  });
  const starting = startGateway(prepared, {
    identity,
    pinFile: files.pins,
    sessionKey: readSessionKey(files.sessionKey, report.warn),
    write: (line) => process.stderr.write(line),
    onListening(places) {
      listeners = places;
      if (record !== undefined) return;
      const { pid } = process;
      const { tokenFile } = prepared.config.server;
      const own = { pid, start, program: identity.version, listeners, tokenFile, pipe: door.pipe };
      record = keepRecord(files.record, own, report.warn);
    },
  });
  await stopOnSignal(starting, () => record);
}

/**
 * Waits for a signal and for the end that it starts; one that comes while the gateway starts waits for that. A second signal does
 * not wait for anything. Rejects with what kept the gateway from starting.
 */
function stopOnSignal(
  starting: Promise<Gateway>,
  record: () => OwnRecord | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false;
    let running: Gateway | undefined;
    const signals = stopSignals(process.platform);
    const onSignal = (signal: NodeJS.Signals) => {
      if (stopping) {
        running?.kill();
        record()?.remove();
        process.removeListener(signal, onSignal);
        process.kill(process.pid, endingSignal(signal, process.platform));
        return;
      }
      stopping = true;
      starting
        .then((gateway) => gateway.stop())
        .finally(() => record()?.remove())
        .then(resolve, reject);
    };
    for (const signal of signals) process.on(signal, onSignal);
    starting.then(
      (gateway) => {
        running = gateway;
      },
      (error) => {
        for (const signal of signals) process.off(signal, onSignal);
        reject(error);
      },
    );
  });
}
