import { countBytes, cutText } from "@core/bounds";
import type { Snapshot } from "../connection/connection.ts";
import { limits } from "../limits.ts";
import type { Outcome } from "../operation/outcome.ts";
import type { RegisteredServer } from "../registry/registry.ts";
import { type Draft, textBlock } from "./draft.ts";

type Status = Extract<Outcome, { operation: "status" }>;

/** The connection-free report (A12). */
export function draftStatus({ report, snapshots }: Status): Draft {
  const { servers, faults, ignoredProjectFiles } = report;
  const details = {
    servers: servers.map((server) => recordOf(server, snapshots.get(server.name))),
    ignoredProjectSources: ignoredProjectFiles,
  };
  const lines =
    faults.length > 0
      ? faults.map((fault) => `MCP adapter configuration error: ${fault}`)
      : ["MCP adapter status", ...servers.flatMap((server) => rowsOf(server, snapshots))];
  if (ignoredProjectFiles > 0)
    lines.push(
      `- ${ignoredProjectFiles} project configuration file(s) ignored until the project is trusted: /trust, then /reload`,
    );
  if (lines.length === 1 && faults.length === 0) lines.push("- no configured servers");
  const isError = faults.length > 0 || servers.some(({ problems }) => problems.length > 0);
  const text = faults.length > 0 ? boundFault(lines.join("\n")) : lines.join("\n");
  return { label: "status", isError, blocks: [textBlock(text)], details };
}

function rowsOf(server: RegisteredServer, snapshots: Status["snapshots"]): string[] {
  const { name, problems, shadowed, origin } = server;
  const rows = [`- ${name}: ${stateOf(server, snapshots.get(name))}`];
  for (const problem of problems) rows.push(`  ${problem}`);
  if (shadowed.length > 0)
    rows.push(`- ${name} of ${origin} replaces that of ${shadowed.join(", ")}`);
  return rows;
}

function stateOf(server: RegisteredServer, snapshot: Snapshot | undefined): string {
  if (server.problems.length > 0) return "misconfigured, not available";
  const { lastError } = snapshot ?? {};
  const parts = [
    snapshot?.state ?? "disconnected",
    `automaticReconnect=${server.automaticReconnect ? "on" : "off"}`,
    ...(lastError === undefined
      ? []
      : [`lastError=${lastError.code} at ${new Date(lastError.atMs).toISOString()}`]),
  ];
  return parts.join("; ");
}

function recordOf(server: RegisteredServer, snapshot: Snapshot | undefined): object {
  const { name, origin, shadowed, automaticReconnect, maxReconnectAttempts, problems } = server;
  const { connectedAtMs, lastError } = snapshot ?? {};
  return {
    name,
    origin,
    automaticReconnect,
    maxReconnectAttempts,
    status: problems.length > 0 ? "misconfigured" : (snapshot?.state ?? "disconnected"),
    ...(snapshot === undefined ? {} : { updatedAtMs: snapshot.updatedAtMs }),
    ...(connectedAtMs === undefined ? {} : { connectedAtMs }),
    ...(lastError === undefined
      ? {}
      : { lastErrorType: lastError.code, lastErrorAtMs: lastError.atMs }),
    ...(shadowed.length === 0 ? {} : { shadowed }),
    ...(problems.length === 0 ? {} : { problems }),
  };
}

/** What a person has to mend stands at the beginning, so the end gives way. */
function boundFault(text: string): string {
  const maximum = limits.maxConfigErrorBytes;
  if (countBytes(text) <= maximum) return text;
  return `${cutText(text, { maxBytes: maximum - countBytes("…") }).text}…`;
}
