import { describe, expect, it } from "vitest";
import { createWithEnvelope, withoutEnvelope } from "./envelope.ts";

const K = "io.modelcontextprotocol";
const request = (params: string) =>
  Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/call"${params}}`);
const ENVELOPE = `"${K}/protocolVersion":"2026-07-28","${K}/clientInfo":{"name":"g"},"${K}/clientCapabilities":{}`;

describe("withoutEnvelope", () => {
  it.each([
    [`,"params":{"name":"t","_meta":{${ENVELOPE}}}`, ',"params":{"name":"t","_meta":{}}'],
    [
      `,"params":{"_meta":{${ENVELOPE},"progressToken":1 ,"x":1e400}}`,
      ',"params":{"_meta":{"progressToken":1 ,"x":1e400}}',
    ],
    [',"params":{"_meta":{"x":1}}', ',"params":{"_meta":{"x":1}}'],
    ["", ""],
  ])("[G12] takes the envelope out of %s and nothing else", (given, left) => {
    expect(withoutEnvelope(request(given)).toString()).toBe(request(left).toString());
  });
});

describe("createWithEnvelope", () => {
  const withEnvelope = createWithEnvelope({ name: "g" });
  it.each([
    ["", `,"params":{"_meta":{${ENVELOPE}}}`],
    [',"params":{"a":1}', `,"params":{"_meta":{${ENVELOPE}},"a":1}`],
    [
      ',"params":{"_meta":{"progressToken":1}}',
      `,"params":{"_meta":{${ENVELOPE},"progressToken":1}}`,
    ],
    [
      `,"params":{"_meta":{"${K}/clientInfo":{"name":"client"}}}`,
      `,"params":{"_meta":{"${K}/protocolVersion":"2026-07-28","${K}/clientCapabilities":{},"${K}/clientInfo":{"name":"g"}}}`,
    ],
  ])("[G12] says who the gateway is in %s, in the place of its client", (given, made) => {
    const message = withEnvelope(request(given)).toString();
    expect(JSON.parse(message)).toEqual(JSON.parse(request(made).toString()));
  });
});
