// Fault: answers `big` with `params.bytes` bytes of text, the id before or behind it; a `call` is a request of its own.
import { createInterface } from "node:readline";

const print = (message) => console.log(JSON.stringify(message));

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const text = "x".repeat(params?.bytes ?? 0);
  if (method === "initialize") {
    const { protocolVersion } = params;
    const serverInfo = { name: "big", version: "1" };
    print({ jsonrpc: "2.0", id, result: { protocolVersion, capabilities: {}, serverInfo } });
  } else if (method === "id-first") {
    print({ jsonrpc: "2.0", id, result: { text } });
  } else if (method === "id-last") {
    print({ result: { text, id: 999 }, jsonrpc: "2.0", id });
  } else if (method === "id-hidden") {
    print({ result: { text }, id, _x: { text } });
  } else if (method === "call") {
    print({ jsonrpc: "2.0", id: "mine", method: "roots/list", params: { text } });
  } else if (method === undefined) {
    print({
      jsonrpc: "2.0",
      method: "notifications/refused",
      params: { id, code: JSON.parse(line).error.code },
    });
  } else if (id !== undefined) {
    print({ jsonrpc: "2.0", id, result: {} });
  }
}
