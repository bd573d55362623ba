import { MAX_TOOL_NAME_CHARACTERS } from "../limits.ts";

const CHARACTERS = /^[A-Za-z0-9_.-]+$/;

/** The name under which clients see a server's tool. */
export function exposedName(prefix: string | undefined, tool: string): string {
  return prefix === undefined ? tool : `${prefix}_${tool}`;
}

/** Why model APIs would refuse this tool name, or undefined for a good one. */
export function nameProblem(name: string): string | undefined {
  if (!CHARACTERS.test(name)) return "may hold only letters, digits, _, . and -";
  if (name.length > MAX_TOOL_NAME_CHARACTERS)
    return `has ${name.length} characters, and at most ${MAX_TOOL_NAME_CHARACTERS} are allowed`;
  return undefined;
}
