/** The client's id as the JSON text that it came as, or `null` where none could be read. */
export type IdText = string;

/** A JSON-RPC answer around a result that is JSON text already. */
export function resultMessage(id: IdText, result: string | Buffer): Buffer {
  const head = `{"jsonrpc":"2.0","id":${id},"result":`;
  if (typeof result === "string") return Buffer.from(`${head}${result}}`);
  return Buffer.concat([Buffer.from(head), result, Buffer.from("}")]);
}

/** A JSON-RPC error answer. */
export function errorMessage(id: IdText, code: number, message: string, data?: unknown): Buffer {
  const error = JSON.stringify({ code, message, data });
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${error}}`);
}

/** A JSON-RPC notification without params. */
export function notification(method: string): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: "2.0", method }));
}
