/** The clients for which there is a fragment, by the names that `--agent` takes. */
export const AGENTS = [
  "claude",
  "codex",
  "cursor",
  "gemini",
  "antigravity",
  "kimi",
  "opencode",
] as const;
export type Agent = (typeof AGENTS)[number];

/** The agent of a name, in any case of letters; undefined for others. */
export function findAgent(name: string): Agent | undefined {
  return AGENTS.find((agent) => agent === name.toLowerCase());
}
