/** As wide as a relay's own ids should be, so that a client's id fits in its place. */
const ID = 1_000_000_007;
const SENTENCE = 'The tool says: "done", and then some more of it.\n';
const PLAIN_SENTENCE = "The tool says that it is done, and then some more of it. ";

function text(bytes, sentence = SENTENCE) {
  return sentence.repeat(Math.ceil(bytes / sentence.length)).slice(0, bytes);
}

/** A tool result that is one long text; about `bytes` long, member order as the TypeScript SDK writes it. */
export function textResult(bytes) {
  const content = [{ type: "text", text: text(Math.max(0, 0.88 * bytes - 60)) }];
  return Buffer.from(JSON.stringify({ result: { content }, jsonrpc: "2.0", id: ID }));
}

/** The same without a character that JSON escapes. */
export function plainResult(bytes) {
  const content = [{ type: "text", text: text(Math.max(0, bytes - 92), PLAIN_SENTENCE) }];
  return Buffer.from(JSON.stringify({ result: { content }, jsonrpc: "2.0", id: ID }));
}

/** A tool result of many small values. */
export function structuredResult(bytes) {
  const rows = [];
  for (let left = bytes - 90; left > 0; left -= 62) {
    rows.push({
      id: rows.length,
      name: `row ${rows.length}`,
      score: 1.5,
      ok: true,
      tags: ["a", "b"],
    });
  }
  const result = { content: [], structuredContent: { rows } };
  return Buffer.from(JSON.stringify({ result, jsonrpc: "2.0", id: ID }));
}

/** A tool call with a progress token. */
export function toolCall(bytes) {
  const params = {
    name: "echo",
    arguments: { message: text(Math.max(0, 0.88 * bytes - 150)), count: 3, tags: ["a", "b"] },
    _meta: { progressToken: 1 },
  };
  return Buffer.from(JSON.stringify({ method: "tools/call", params, jsonrpc: "2.0", id: 7 }));
}
