import type { AllowRule, DenyRule } from "../config/config.ts";
import type { ArgumentCheck } from "./arguments.ts";
import { exposedName, nameProblem } from "./name.ts";
import { type Permitted, permit } from "./permitted.ts";

/** What the configuration says about one server's tools, resources and prompts. */
export interface ServerRules {
  readonly name: string;
  readonly namePrefix: string | undefined;
  readonly allow: readonly AllowRule[];
  readonly deny: readonly DenyRule[];
}

/** A tool that the policy lets through. */
export interface PermittedCall extends Permitted {
  /** The tool's name at its server. */
  readonly tool: string;
  /** The tool's name for clients. */
  readonly exposed: string;
  /** The two names as JSON text, ready to be spliced into messages. */
  readonly toolJson: string;
  readonly exposedJson: string;
  /** What its arguments have to be, if there are rules for them. */
  readonly check: ArgumentCheck | undefined;
  /** Whether its definition has to stay what it was. */
  readonly pinned: boolean;
}

/** The one predicate behind list and call: a tool is listed if and only if it can be called. */
export interface Policy {
  /** The tool that clients call by this name, if there is one for them. */
  permit(exposed: string): PermittedCall | undefined;
  /** The exposed tools of a server by their own names; empty where nothing is allowed. */
  exposedBy(server: string): ReadonlyMap<string, PermittedCall>;
  /** Whose rule denies the tool of this name; undefined where no rule names it. For the audit only. */
  denial(exposed: string): { readonly server: string; readonly rule: string } | undefined;
}

export type ArgumentChecks = ReadonlyMap<AllowRule, ArgumentCheck>;

/** Deny wins, unlisted is hidden, and names are looked up in an exact map and never split. */
export function createPolicy(
  servers: readonly ServerRules[],
  checks: ArgumentChecks = new Map(),
): Policy {
  const byExposed = new Map<string, PermittedCall>();
  const byServer = new Map<string, ReadonlyMap<string, PermittedCall>>();
  for (const rules of servers) {
    const calls = allowedTools(rules).map((allowed) => permitCall(rules, allowed, checks));
    for (const call of calls) byExposed.set(call.exposed, call);
    byServer.set(rules.name, new Map(calls.map((call) => [call.tool, call])));
  }
  const denials = findDenials(servers);
  return Object.freeze({
    permit: (exposed: string) => byExposed.get(exposed),
    exposedBy: (server: string) => byServer.get(server) ?? new Map(),
    denial: (exposed: string) => denials.get(exposed),
  });
}

/** A fault in the rules, at `allow[rule]` of a server. */
export interface PolicyProblem {
  readonly server: string;
  readonly rule: number;
  readonly key: "tool" | "resource" | "prompt";
  readonly reason: string;
}

/** Names that clients could not use and names that two tools would share. With any of them there is no policy. */
export function findPolicyProblems(servers: readonly ServerRules[]): PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  const owners = new Map<string, string>();
  for (const rules of servers)
    for (const { tool, index } of allowedTools(rules)) {
      const name = exposedName(rules.namePrefix, tool);
      const report = (reason: string) =>
        problems.push({ server: rules.name, rule: index, key: "tool", reason });
      const bad = nameProblem(name);
      const owner = owners.get(name);
      if (bad !== undefined) report(`the exposed name ${bad}`);
      else if (owner !== undefined)
        report(`the exposed name ${name} is taken by ${owner}: choose another name_prefix`);
      owners.set(name, `${rules.name}.${tool}`);
    }
  return problems;
}

interface AllowedTool {
  readonly tool: string;
  readonly index: number;
  readonly rule: AllowRule;
}

function allowedTools({ allow, deny }: ServerRules): AllowedTool[] {
  const denied = new Set(deny.map(({ tool }) => tool));
  return allow.flatMap((rule, index) =>
    rule.tool === undefined || denied.has(rule.tool) ? [] : [{ tool: rule.tool, index, rule }],
  );
}

function permitCall(
  { name, namePrefix }: ServerRules,
  { tool, index, rule }: AllowedTool,
  checks: ArgumentChecks,
): PermittedCall {
  const exposed = exposedName(namePrefix, tool);
  return permit({
    server: name,
    rule: `allow[${index}]`,
    tool,
    exposed,
    toolJson: JSON.stringify(tool),
    exposedJson: JSON.stringify(exposed),
    check: checks.get(rule),
    pinned: rule.pin === true,
  });
}

function findDenials(servers: readonly ServerRules[]) {
  const denials = new Map<string, { server: string; rule: string }>();
  for (const { name: server, namePrefix, deny } of servers)
    for (const [index, { tool }] of deny.entries())
      if (tool !== undefined)
        denials.set(exposedName(namePrefix, tool), { server, rule: `deny[${index}]` });
  return denials;
}
