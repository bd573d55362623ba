import { exposedName, nameProblem } from "./name.ts";

/** What the configuration says about one server's tools. */
export interface ServerRules {
  readonly name: string;
  readonly namePrefix: string | undefined;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

declare const permitted: unique symbol;

/** A tool that the policy lets through. Only {@link createPolicy} makes one, and an upstream calls nothing else. */
export interface PermittedCall {
  readonly [permitted]: true;
  readonly server: string;
  /** The tool's name at its server. */
  readonly tool: string;
  /** The tool's name for clients. */
  readonly exposed: string;
  /** The two names as JSON text, ready to be spliced into messages. */
  readonly toolJson: string;
  readonly exposedJson: string;
}

/** The one predicate behind list and call: a tool is listed if and only if it can be called. */
export interface Policy {
  /** The tool that clients call by this name, if there is one for them. */
  permit(exposed: string): PermittedCall | undefined;
  /** The exposed tools of a server by their own names; empty where nothing is allowed. */
  exposedBy(server: string): ReadonlyMap<string, PermittedCall>;
}

/** Deny wins, unlisted is hidden, and names are looked up in an exact map and never split. */
export function createPolicy(servers: readonly ServerRules[]): Policy {
  const byExposed = new Map<string, PermittedCall>();
  const byServer = new Map<string, ReadonlyMap<string, PermittedCall>>();
  for (const rules of servers) {
    const calls = allowedTools(rules).map(({ tool }) => permitCall(rules, tool));
    for (const call of calls) byExposed.set(call.exposed, call);
    byServer.set(rules.name, new Map(calls.map((call) => [call.tool, call])));
  }
  return Object.freeze({
    permit: (exposed: string) => byExposed.get(exposed),
    exposedBy: (server: string) => byServer.get(server) ?? new Map(),
  });
}

/** A fault in the rules, at `allow[rule]` of a server. */
export interface PolicyProblem {
  readonly server: string;
  readonly rule: number;
  readonly reason: string;
}

/** Names that clients could not use and names that two tools would share. With any of them there is no policy. */
export function findPolicyProblems(servers: readonly ServerRules[]): PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  const owners = new Map<string, string>();
  for (const rules of servers)
    for (const { tool, rule } of allowedTools(rules)) {
      const name = exposedName(rules.namePrefix, tool);
      const report = (reason: string) => problems.push({ server: rules.name, rule, reason });
      const bad = nameProblem(name);
      const owner = owners.get(name);
      if (bad !== undefined) report(`the exposed name ${bad}`);
      else if (owner !== undefined)
        report(`the exposed name ${name} is taken by ${owner}: choose another name_prefix`);
      owners.set(name, `${rules.name}.${tool}`);
    }
  return problems;
}

function allowedTools(rules: ServerRules): { tool: string; rule: number }[] {
  return rules.allow
    .map((tool, rule) => ({ tool, rule }))
    .filter(({ tool }) => !rules.deny.includes(tool));
}

function permitCall({ name, namePrefix }: ServerRules, tool: string): PermittedCall {
  const exposed = exposedName(namePrefix, tool);
  const toolJson = JSON.stringify(tool);
  const exposedJson = JSON.stringify(exposed);
  return Object.freeze({ server: name, tool, exposed, toolJson, exposedJson }) as PermittedCall;
}
