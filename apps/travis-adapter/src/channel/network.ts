/** What reaches the network: the platform's own `fetch`, or one that goes through a proxy. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The way to HTTP servers that the environment asks for. */
export interface Network {
  readonly fetch: Fetch;
  /** Ends what is left open. */
  close(): Promise<void>;
}
