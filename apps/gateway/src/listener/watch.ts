import type { ServerResponse } from "node:http";
import { withoutQuote } from "../errors.ts";
import { sendJson } from "../session/refuse.ts";
import { formatMetrics } from "./metrics.ts";
import type { ServerSnapshot, Snapshot } from "./snapshot.ts";

/** The pages by which the gateway is watched. They change nothing. */
export interface Watch {
  ready(response: ServerResponse): void;
  metrics(response: ServerResponse): void;
  status(response: ServerResponse): void;
}

export function createWatch(snapshot: () => Snapshot): Watch {
  return {
    ready(response) {
      const { stopping, servers } = snapshot();
      const failing = servers.filter((server) => !isWell(server)).map(({ name }) => name);
      const ready = !stopping && failing.length === 0;
      const body = { status: ready ? "ready" : stopping ? "stopping" : "failing", failing };
      sendJson(response, ready ? 200 : 503, Buffer.from(JSON.stringify(body)));
    },
    metrics(response) {
      response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" });
      response.end(formatMetrics(snapshot()));
    },
    status(response) {
      sendJson(response, 200, Buffer.from(JSON.stringify(toStatus(snapshot()))));
    },
  };
}

/** A server that nobody has needed yet is as good as one that runs. */
function isWell({ state, lastError }: ServerSnapshot): boolean {
  return state === "up" || state === "starting" || (state === "idle" && lastError === undefined);
}

/** The body of `/status`, in the names that `wraptool status --json` prints too. */
export type Status = ReturnType<typeof toStatus>;

function toStatus({ stopping: _, uptimeSeconds, inFlight, servers, ...counts }: Snapshot) {
  return {
    ...counts,
    uptime_s: Math.floor(uptimeSeconds),
    in_flight: inFlight,
    servers: servers.map(({ lastError, ...server }) => ({
      ...server,
      last_error: lastError === undefined ? null : withoutQuote(lastError),
    })),
  };
}
