import { CommandError } from "@core/terminal";
import { type Environment, findCommand } from "@core/wire";
import type { Runtime } from "./host-address.ts";

const RUNTIMES: readonly Runtime[] = ["docker", "podman"];

/** The runtime that was asked for, else the first one on the PATH. Throws CommandError where it is not there. */
export async function findRuntime(
  named: string | undefined,
  environment: Environment,
): Promise<Runtime> {
  const wanted = named === undefined ? RUNTIMES : RUNTIMES.filter((name) => name === named);
  if (wanted.length === 0)
    throw new CommandError("UNKNOWN_RUNTIME", "--runtime must be docker or podman");
  for (const name of wanted) if (await findCommand(name, { environment })) return name;
  const [missing, other] = wanted;
  throw new CommandError(
    "NO_RUNTIME",
    other === undefined
      ? `${missing} is not on the PATH`
      : `Neither ${missing} nor ${other} is on the PATH`,
    { hint: "Install it, or add its folder to PATH; --runtime names the one to use" },
  );
}
