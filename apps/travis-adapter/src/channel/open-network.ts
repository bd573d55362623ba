import { readFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";
import { AdapterError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Network } from "./network.ts";
import type { Environment } from "./resolve.ts";

/** This machine is never reached through a proxy. */
const NEVER_PROXIED = "localhost,127.0.0.1,::1";

/**
 * The platform's own `fetch`, unless a proxy, further authorities or a timeout beyond its own five minutes want another.
 * Proxies are those of HTTP_PROXY, HTTPS_PROXY and NO_PROXY, and authorities those of NODE_EXTRA_CA_CERTS, which Node
 * itself reads at its start alone. Rejects with an {@link AdapterError} where that file cannot be read.
 */
export async function openNetwork(url: URL, env: Environment, timeoutMs: number): Promise<Network> {
  const read = (name: string) => env[name.toLowerCase()] || env[name] || undefined;
  const [httpProxy, httpsProxy] = [read("HTTP_PROXY"), read("HTTPS_PROXY")];
  const authorities = url.protocol === "https:" ? await readAuthorities(env) : undefined;
  const isPlain = httpProxy === undefined && httpsProxy === undefined && authorities === undefined;
  if (isPlain && timeoutMs <= limits.maxPlatformSilenceMs)
    return { fetch: (...args) => fetch(...args), close: async () => {} };

  const { openDispatched } = await import("./dispatched.ts");
  return openDispatched({
    httpProxy,
    httpsProxy,
    noProxy: [read("NO_PROXY"), NEVER_PROXIED].filter(Boolean).join(","),
    authorities: authorities === undefined ? undefined : [...rootCertificates, authorities],
  });
}

async function readAuthorities({ NODE_EXTRA_CA_CERTS: file }: Environment) {
  if (file === undefined || file === "") return undefined;
  return readFile(file, "utf8").catch((cause: unknown) => {
    throw new AdapterError(
      "CONNECT_FAILED",
      "The file that NODE_EXTRA_CA_CERTS names cannot be read, so no certificate can be checked with it",
      { cause },
    );
  });
}
