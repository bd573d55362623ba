import type { Snapshot } from "./snapshot.ts";

/** Writes a snapshot in the text format of Prometheus, version 0.0.4. Server names need no escapes. */
export function formatMetrics(snapshot: Snapshot): string {
  const { uptimeSeconds, sessions, connections, inFlight, subscriptions, requests, servers } =
    snapshot;
  const each = (read: (server: Snapshot["servers"][number]) => number) =>
    servers.map((server) => [`{server="${server.name}"}`, read(server)] as const);
  return [
    family("uptime_seconds", "gauge", "Time since the gateway started.", [["", uptimeSeconds]]),
    family("sessions", "gauge", "Sessions of clients.", [["", sessions]]),
    family("connections", "gauge", "Open connections.", [["", connections]]),
    family("requests_in_flight", "gauge", "Requests that wait for an answer.", [["", inFlight]]),
    family("subscriptions", "gauge", "Open subscriptions/listen streams.", [["", subscriptions]]),
    family("requests_total", "counter", "Requests of clients since the start.", [["", requests]]),
    family(
      "server_up",
      "gauge",
      "Whether the server runs.",
      each(({ state }) => Number(state === "up")),
    ),
    family(
      "server_exposed_tools",
      "gauge",
      "Tools of the server that clients see.",
      each(({ exposed }) => exposed),
    ),
    family(
      "server_restarts_total",
      "counter",
      "Starts of the server after it had ended by itself.",
      each(({ restarts }) => restarts),
    ),
  ].join("");
}

function family(
  name: string,
  type: "gauge" | "counter",
  help: string,
  samples: readonly (readonly [labels: string, value: number])[],
): string {
  const lines = samples.map(([labels, value]) => `wraptool_${name}${labels} ${value}\n`);
  return `# HELP wraptool_${name} ${help}\n# TYPE wraptool_${name} ${type}\n${lines.join("")}`;
}
