import { ConfigError, fieldPath, type Place } from "@core/config";
import type { Environment } from "@core/wire";
import { URL_VARIABLE } from "../bridge/gateway-url.ts";
import { TOKEN_VARIABLE } from "../harness/setting.ts";
import type { DevContainer } from "./dev-container.ts";
import { expandVariables, type VariableValues } from "./dev-variables.ts";

/** Variables of a container as options of `run`. */
export interface ContainerEnv {
  readonly options: readonly string[];
  /** Those that `options` pass by name: the runtime takes their values from its own environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The gateway's own, which `up` sets, whatever a file says. */
const OWN: ReadonlySet<string> = new Set([URL_VARIABLE, TOKEN_VARIABLE]);
/** Names by which runtimes and the loaders of programs go, beside those that are set in this environment. */
const RUNTIMES_OWN = /^(?:DOCKER|BUILDX|BUILDKIT|CONTAINERS?|PODMAN|REGISTRY|STORAGE|XDG|LD|DYLD)_/;

/**
 * The variables of a dev container's file. One that takes a value of this environment is passed by name, so that the value
 * is on no command line. Throws ConfigError BAD_REFERENCE where that would change the runtime's own environment.
 */
export function passVariables(
  { file, containerEnv }: DevContainer,
  values: VariableValues,
): ContainerEnv {
  const environment: Record<string, string> = {};
  const words = Object.entries(containerEnv)
    .filter(([name]) => !OWN.has(name))
    .map(([name, value]) => {
      const place = { file, field: fieldPath(["containerEnv", name]) };
      const { text, local } = expandVariables(value, values, place);
      if (local.length === 0) return `${name}=${text}`;
      requireFree(name, text, values.environment, place);
      environment[name] = text;
      return name;
    });
  return { options: words.flatMap((word) => ["-e", word]), environment };
}

function requireFree(name: string, value: string, environment: Environment, place: Place): void {
  const now = environment[name];
  if (now === value || (now === undefined && !RUNTIMES_OWN.test(name))) return;
  const reason =
    "takes a value of this environment under a name by which the runtime itself may go; write the value out, or use another name";
  throw new ConfigError("BAD_REFERENCE", reason, place);
}
