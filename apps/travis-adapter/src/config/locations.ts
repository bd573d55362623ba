import { join } from "node:path";

/** One of the four configuration files. */
export interface Location {
  readonly path: string;
  /** How errors and status name it: without the host's folders. */
  readonly shown: string;
  /** Whether it is read only when the project is trusted. */
  readonly isProject: boolean;
}

/** The four files from lowest to highest precedence (A5): literal paths, no XDG variable, no walk through parents. */
export function locationsOf(home: string, cwd: string): readonly Location[] {
  const inHome = (path: string) => ({
    path: join(home, path),
    shown: `~/${path}`,
    isProject: false,
  });
  const inProject = (path: string) => ({ path: join(cwd, path), shown: path, isProject: true });
  return [
    inHome(".config/mcp/mcp.json"),
    inHome(".travis234/agent/mcp.json"),
    inProject(".mcp.json"),
    inProject(".travis234/mcp.json"),
  ];
}
