import { type Address, formatAddress, isLoopback } from "../config/address.ts";

export interface BindRules {
  readonly listen: readonly Address[];
  readonly tokenFile: string | undefined;
  readonly insecureNoAuth: boolean;
}

/** The addresses that others could reach without a token, which nobody has allowed in writing. */
export function findOpenBinds({ listen, tokenFile, insecureNoAuth }: BindRules): string[] {
  if (tokenFile !== undefined || insecureNoAuth) return [];
  return listen.filter(({ host }) => !isLoopback(host)).map(formatAddress);
}
