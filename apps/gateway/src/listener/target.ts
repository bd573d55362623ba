/** A request's target: its path, and what of the query the gateway reads. */
export interface Target {
  readonly path: string;
  /** The value of `?cwd=`; null if it stands there twice, since two readers might take two folders. */
  readonly cwd: string | null | undefined;
  readonly sessionId: string | undefined;
}

/** Reads the target of a request as it stands in its first line. */
export function parseTarget(url = ""): Target {
  const end = url.indexOf("?");
  // The usual case first: this runs for every request.
  if (end === -1) return { path: url, cwd: undefined, sessionId: undefined };
  const query = new URLSearchParams(url.slice(end + 1));
  const folders = query.getAll("cwd");
  return {
    path: url.slice(0, end),
    cwd: folders.length > 1 ? null : folders[0],
    sessionId: query.get("sessionId") ?? undefined,
  };
}
