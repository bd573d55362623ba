import { exposedName, nameProblem } from "./name.ts";
import { isExact, matchesPattern } from "./pattern.ts";
import { type Permitted, permit } from "./permitted.ts";
import type { PolicyProblem, ServerRules } from "./policy.ts";

/** A prompt that the policy lets through. */
export interface PermittedPrompt extends Permitted {
  /** The prompt's name at its server, and its name for clients. */
  readonly prompt: string;
  readonly exposed: string;
  readonly promptJson: string;
  readonly exposedJson: string;
}

/** The predicate for prompts, by a server's own name for one. Clients' names are found in what servers list. */
export interface PromptPolicy {
  permit(server: string, prompt: string): PermittedPrompt | undefined;
  /** Why a prompt that a rule names is hidden all the same: clients could not use its name. */
  problem(server: string, prompt: string): string | undefined;
  /** The servers with a rule for prompts, in the configuration's order. */
  readonly servers: readonly string[];
}

export function createPromptPolicy(servers: readonly ServerRules[]): PromptPolicy {
  const byName = new Map(servers.map((server) => [server.name, server]));
  /** The rule that allows a prompt, by its place. */
  const find = (name: string, prompt: string) => {
    const server = byName.get(name);
    const index = server?.allow.findIndex((rule) => names(rule.prompt, prompt)) ?? -1;
    if (server === undefined || index === -1) return undefined;
    if (server.deny.some((rule) => names(rule.prompt, prompt))) return undefined;
    return { index, exposed: exposedName(server.namePrefix, prompt) };
  };
  return Object.freeze({
    permit(name: string, prompt: string) {
      const found = find(name, prompt);
      if (found === undefined || nameProblem(found.exposed) !== undefined) return undefined;
      const { index, exposed } = found;
      return permit({
        server: name,
        rule: `allow[${index}]`,
        prompt,
        exposed,
        promptJson: JSON.stringify(prompt),
        exposedJson: JSON.stringify(exposed),
      });
    },
    problem(name: string, prompt: string) {
      const found = find(name, prompt);
      return found && nameProblem(found.exposed);
    },
    servers: servers
      .filter(({ allow }) => allow.some(({ prompt }) => prompt !== undefined))
      .map(({ name }) => name),
  });
}

function names(pattern: string | undefined, prompt: string): boolean {
  return pattern !== undefined && matchesPattern(pattern, prompt);
}

/** Exact names that clients could not use, or that two prompts would share. */
export function findPromptProblems(servers: readonly ServerRules[]): PolicyProblem[] {
  const owners = new Map<string, string>();
  const problems: PolicyProblem[] = [];
  for (const { name: server, namePrefix, allow, deny } of servers)
    for (const [rule, { prompt }] of allow.entries()) {
      if (prompt === undefined || !isExact(prompt)) continue;
      if (deny.some((other) => names(other.prompt, prompt))) continue;
      const exposed = exposedName(namePrefix, prompt);
      const owner = owners.get(exposed);
      const bad = nameProblem(exposed);
      const taken = owner && `${exposed} is taken by ${owner}: choose another name_prefix`;
      const reason = bad ?? taken;
      if (reason !== undefined)
        problems.push({ server, rule, key: "prompt", reason: `the exposed name ${reason}` });
      owners.set(exposed, `${server}.${prompt}`);
    }
  return problems;
}
