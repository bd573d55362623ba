import { ConfigError, isCredentialKey, type NamedSecret, readEnvFile } from "@core/config";
import { baseEnvironment, type Environment, layerEnvironments } from "@core/wire";
import type { ServerConfig } from "../config/config.ts";

/** What a server's process gets to see. */
export interface ServerEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  /** Values that must not come out: all of the env files, and those of credential-named variables. */
  readonly secrets: readonly NamedSecret[];
  /** Why the server cannot be started: an env file cannot be used. */
  readonly problem: ConfigError | undefined;
}

/** The SDK's minimal environment, then the env files in order, then `env`; a later one wins. */
export function buildEnvironment(
  { env, envFiles }: Pick<ServerConfig, "env" | "envFiles">,
  outer: Environment,
): ServerEnvironment {
  const files = envFiles.map(readFile);
  const fromFiles = files.map(({ variables }) => variables);
  const secrets = [
    ...fromFiles.flatMap((variables) => Object.entries(variables)),
    ...Object.entries(env).filter(([name]) => isCredentialKey(name)),
  ].map(([name, value]) => ({ name, value }));
  return {
    variables: layerEnvironments([baseEnvironment(outer), ...fromFiles, env]),
    secrets,
    problem: files.find(({ problem }) => problem !== undefined)?.problem,
  };
}

function readFile(path: string): { variables: Record<string, string>; problem?: ConfigError } {
  try {
    return { variables: readEnvFile(path) };
  } catch (problem) {
    if (problem instanceof ConfigError) return { variables: {}, problem };
    throw problem;
  }
}
