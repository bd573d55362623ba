import type { JsonObject } from "@core/wire";
import type { Client, ClientRequest } from "../connection/client.ts";
import { AdapterError, quote } from "../errors.ts";

/** What a server answered to one request. */
export interface Asked {
  readonly result: JsonObject;
  /** The methods of what it asked for meanwhile, and was declined at once (A22). */
  readonly declined: readonly string[];
}

/** Sends one request, once, and keeps account of what the server asked back. Rejects with {@link AdapterError}. */
export async function ask(
  client: Client,
  method: string,
  params: JsonObject,
  { signal, mirrored }: Omit<ClientRequest, "onDeclined">,
): Promise<Asked> {
  const declined = new Set<string>();
  try {
    const onDeclined = (asked: string) => declined.add(asked);
    const result = await client.request(method, params, { signal, mirrored, onDeclined });
    return { result, declined: [...declined] };
  } catch (error) {
    throw declined.size === 0 ? error : withDeclined(error, [...declined]);
  }
}

function withDeclined(error: unknown, declined: readonly string[]): unknown {
  if (!(error instanceof AdapterError)) return error;
  const { code, message, serverSaid, cause } = error;
  const asked = declined.slice(0, 3).map(quote).join(", ");
  const sentence = `${message}; meanwhile it asked for ${asked}, which this client does not do, and was declined`;
  return new AdapterError(code, sentence, {
    cause,
    ...(serverSaid === undefined ? {} : { serverSaid }),
  });
}
