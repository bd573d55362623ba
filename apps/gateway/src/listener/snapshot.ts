/** What the gateway shows of one server: nothing of how it is started, and no tool by name. */
export interface ServerSnapshot {
  readonly name: string;
  readonly state: string;
  /** How many of its tools clients see. */
  readonly exposed: number;
  readonly restarts: number;
  readonly lastError: string | undefined;
}

/** What the gateway shows of itself. Counts are of this moment, but for `requests`, which is of its whole life. */
export interface Snapshot {
  readonly pid: number;
  readonly version: string;
  readonly uptimeSeconds: number;
  readonly stopping: boolean;
  readonly sessions: number;
  readonly connections: number;
  readonly inFlight: number;
  readonly subscriptions: number;
  readonly requests: number;
  readonly servers: readonly ServerSnapshot[];
}
