import { request } from "node:http";
import { revealSecret } from "@core/config";
import { CommandError } from "@core/terminal";
import { readToken } from "../auth/token.ts";
import { isWildcard, parseAddress } from "../config/address.ts";
import { MAX_STATUS_BYTES, STATUS_WAIT_MS } from "../limits.ts";
import type { Status } from "../listener/watch.ts";
import { type DaemonRecord, isRunning, readRecord } from "./record.ts";

/** What `wraptool status --json` prints. */
export type DaemonStatus =
  | { readonly running: false }
  | (Pick<Status, "pid" | "version" | "uptime_s" | "sessions" | "servers"> & {
      readonly running: true;
      readonly listeners: readonly string[];
    });

/**
 * Asks the daemon whose record this is. It runs if it answers under the process id of its record. Throws CommandError for a
 * daemon that lives and does not answer.
 */
export async function askStatus(recordFile: string): Promise<DaemonStatus> {
  const record = readRecord(recordFile);
  if (record === undefined || !(await isRunning(record))) return { running: false };
  const status = await ask(record);
  // The process id and the port have come to others since.
  if (status.pid !== record.pid) return { running: false };
  const { pid, version, uptime_s, sessions, servers } = status;
  const { listeners } = record;
  return { running: true, pid, version, uptime_s, listeners, sessions, servers };
}

/** Writes a status for people. */
export function describeStatus(status: DaemonStatus): string {
  if (!status.running) return "not running";
  const { pid, version, uptime_s, listeners, sessions, servers } = status;
  const lines = servers.map(({ name, state, exposed, restarts, last_error }) => {
    const error = last_error === null ? "" : `; ${last_error}`;
    return `  ${name}: ${state}, ${exposed} tools exposed, ${restarts} restarts${error}`;
  });
  return [
    `running: version ${version}, process ${pid}, for ${uptime_s} s`,
    ...listeners.map((place) => `listening on ${place}`),
    `sessions: ${sessions}`,
    servers.length === 0 ? "no servers" : "servers:",
    ...lines,
  ].join("\n");
}

async function ask({ pid, listeners, tokenFile }: DaemonRecord): Promise<Status> {
  const token = tokenFile === undefined ? undefined : revealSecret(readToken(tokenFile));
  const place = listeners.find((one) => !one.startsWith("http:")) ?? listeners[0];
  try {
    if (place === undefined) throw new Error("it listens nowhere");
    return JSON.parse(await get(place, token)) as Status;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "";
    throw new CommandError("NO_ANSWER", `Process ${pid} does not answer as the gateway: ${why}`, {
      hint: "If its token was replaced, reload it; else stop it and start it again",
      cause,
    });
  }
}

function get(place: string, token: string | undefined): Promise<string> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(STATUS_WAIT_MS);
    const sent = request({ ...doorOf(place), path: "/status", headers, signal }, (response) => {
      const { statusCode } = response;
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        if (text.length > MAX_STATUS_BYTES) sent.destroy(new Error("its answer is too long"));
      });
      response.on("error", reject);
      response.on("end", () =>
        statusCode === 200 ? resolve(text) : reject(new Error(`it answered ${statusCode}`)),
      );
    });
    sent.on("error", reject).end();
  });
}

/** Where to dial: a listener on every address is reached by the loopback one. */
function doorOf(place: string): { socketPath: string } | { host: string; port: number } {
  const address = parseAddress(place.replace(/^http:\/\//, ""));
  if (!place.startsWith("http:") || address === undefined) return { socketPath: place };
  const { host, port } = address;
  if (!isWildcard(host)) return { host, port };
  return { host: host === "::" ? "::1" : "127.0.0.1", port };
}
