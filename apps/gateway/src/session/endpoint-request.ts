import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { RelayMessage } from "@core/wire";
import type { Caller } from "../auth/bearer.ts";
import type { AllowedCwd } from "../auth/cwd.ts";
import type { Accept } from "./accept.ts";

/** One HTTP request to an endpoint after the guards: who asks, for which folder, and how to answer. */
export interface EndpointRequest {
  readonly response: ServerResponse;
  readonly caller: Caller;
  readonly cwd: AllowedCwd | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly accept: Accept;
}

type Of<K extends RelayMessage["kind"]> = RelayMessage & { readonly kind: K };

export type RequestMessage = Of<"request">;

/** A message that every reader reads alike. */
export type ReadMessage = Of<"request"> | Of<"notification"> | Of<"response"> | Of<"error">;

/** A header's value; Node joins one that stands twice, and then it names no session and no version. */
export function headerOf({ headers }: EndpointRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
