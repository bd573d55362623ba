import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** An open way to one server, as the client uses it. */
export interface Channel {
  readonly transport: Transport;
  /** Why the other side ended it. Call it only after it did. */
  endReport(): Promise<EndReport>;
  /** Ends it, verified: no process is left behind, and no session where the server takes part. */
  close(): Promise<void>;
}

export interface EndReport {
  /** A verb phrase after "the server": "exited with status 3". */
  readonly how: string;
  /** The redacted end of what it wrote on stderr; may be empty. */
  readonly stderr: string;
}
