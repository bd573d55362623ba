import { readEnvelope, stringAt } from "@core/wire";
import type { Of } from "./answer.ts";

/** A server's word that a resource has changed, as the bytes that it came as. */
export interface ResourceUpdate {
  readonly uri: string;
  readonly bytes: Buffer;
  readonly message: Of<"notification">;
}

export const RESOURCE_UPDATED = "notifications/resources/updated";

/** Undefined for one that names no resource. */
export function readUpdate(bytes: Buffer, message: Of<"notification">): ResourceUpdate | undefined {
  const uri = stringAt(bytes, message.params.uri);
  return uri === undefined ? undefined : { uri, bytes, message };
}

/** For a resource that may have changed while nobody told of it. */
export function makeUpdate(uri: string): ResourceUpdate {
  const bytes = Buffer.from(
    JSON.stringify({ jsonrpc: "2.0", method: RESOURCE_UPDATED, params: { uri } }),
  );
  return { uri, bytes, message: readEnvelope(bytes) as Of<"notification"> };
}
