import type { Connection, ServerProcess } from "../upstream/connection.ts";
import type { ConnectionEvents } from "../upstream/upstream.ts";
import { type Finding, fault, fine } from "./finding.ts";

/** Starts a server as the gateway does. */
export type OpenServer = (events: ConnectionEvents) => Promise<Connection>;

/** Starts a server, shakes hands, and stops it again; whatever happens, nothing of it is left. */
export async function checkServer(name: string, open: OpenServer): Promise<Finding> {
  const looked = { id: "server", subject: name };
  const processes: ServerProcess[] = [];
  const events = {
    onProcess: (process: ServerProcess) => void processes.push(process),
    onListChanged: () => {},
    onUpdated: () => {},
  };
  try {
    const { era } = await open(events);
    return fine(looked, `starts, and speaks the ${era} era`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it does not start";
    return fault(looked, reason, "Run its command by hand in the same folder");
  } finally {
    await Promise.all(processes.map((process) => process.stop()));
  }
}
