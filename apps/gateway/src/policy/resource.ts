import { isExact, leadsUpwards, matchesPattern, plainUri } from "./pattern.ts";
import { type Permitted, permit } from "./permitted.ts";
import type { PolicyProblem, ServerRules } from "./policy.ts";

/** A resource that the policy lets through. Its URI is passed on as it is. */
export interface PermittedRead extends Permitted {
  readonly uri: string;
}

/** The one predicate behind listing and reading resources. */
export interface ResourcePolicy {
  /** Which server a URI is read from, if from any. */
  permit(uri: string): PermittedRead | undefined;
  /** Whose template this is: a rule allows its text up to the first expression. What is read with it is judged anew. */
  permitTemplate(server: string, template: string): PermittedRead | undefined;
  /** The servers with a rule for resources, in the configuration's order. */
  readonly servers: readonly string[];
}

/** An exact rule comes before one with `*`; among those the first server in the file wins. */
export function createResourcePolicy(servers: readonly ServerRules[]): ResourcePolicy {
  const rules = servers.flatMap((server) =>
    server.allow.flatMap(({ resource }, index) =>
      resource === undefined ? [] : [{ server, resource, index }],
    ),
  );
  const find = (uri: string) => {
    const allowing = rules.filter(
      ({ server, resource }) => matchesPattern(resource, uri) && !isDenied(server, uri),
    );
    return allowing.find(({ resource }) => isExact(resource)) ?? allowing[0];
  };
  return Object.freeze({
    permit(uri: string) {
      const found = find(uri);
      if (found === undefined) return undefined;
      if (!isExact(found.resource) && leadsUpwards(uri)) return undefined;
      return permit({ server: found.server.name, rule: `allow[${found.index}]`, uri });
    },
    permitTemplate(name: string, template: string) {
      const head = template.split("{", 1)[0] as string;
      const found = rules.find(
        ({ server, resource }) =>
          server.name === name &&
          !isDenied(server, head) &&
          (matchesPattern(resource, head) || resource === template),
      );
      return found && permit({ server: name, rule: `allow[${found.index}]`, uri: template });
    },
    servers: [...new Set(rules.map(({ server }) => server.name))],
  });
}

/** Deny wins over every way to write the same URI. */
function isDenied({ deny }: ServerRules, uri: string): boolean {
  const rules = deny.flatMap(({ resource }) => resource ?? []);
  if (rules.length === 0) return false;
  const plain = plainUri(uri);
  if (plain === undefined) return true;
  return rules.some(
    (rule) => matchesPattern(rule, uri) || matchesPattern(plainUri(rule) ?? rule, plain),
  );
}

/** Exact URIs that two servers would serve. */
export function findResourceProblems(servers: readonly ServerRules[]): PolicyProblem[] {
  const owners = new Map<string, string>();
  const problems: PolicyProblem[] = [];
  for (const server of servers)
    for (const [rule, { resource }] of server.allow.entries()) {
      if (resource === undefined || !isExact(resource) || isDenied(server, resource)) continue;
      const owner = owners.get(resource);
      if (owner !== undefined && owner !== server.name)
        problems.push({
          server: server.name,
          rule,
          key: "resource",
          reason: `this URI is allowed on ${owner} already: allow it on one server`,
        });
      owners.set(resource, owner ?? server.name);
    }
  return problems;
}
