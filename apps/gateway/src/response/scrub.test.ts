import { createScrubber } from "@core/config";
import fc from "fast-check";
import { CANARY, findCanary } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { createScrub } from "./scrub.ts";

const scrub = createScrub(createScrubber([{ name: "A", value: CANARY }]), true);
const scrubbed = (message: unknown, encode: (value: unknown) => string = JSON.stringify) =>
  JSON.parse(scrub.message(Buffer.from(encode(message))).toString());

describe("createScrub", () => {
  it("[G18] scrubs text, errors, structured content with its keys, and embedded text", () => {
    const answer = {
      jsonrpc: "2.0",
      id: 1,
      result: {
        content: [
          { type: "text", text: `before ${CANARY} after` },
          { type: "resource", resource: { uri: `file:///${CANARY}`, text: CANARY } },
          { type: "other", deep: [{ down: CANARY }] },
        ],
        structuredContent: { [CANARY]: { data: CANARY, n: 7 } },
        _meta: { note: CANARY },
      },
    };
    const result = scrubbed(answer).result;
    expect(findCanary(JSON.stringify(result))).toEqual([]);
    expect(result.content[0].text).toBe("before [redacted] after");
    expect(result.structuredContent).toEqual({ "[redacted]": { data: "[redacted]", n: 7 } });
    const error = scrubbed({ jsonrpc: "2.0", id: 1, error: { code: 1, message: `no ${CANARY}` } });
    expect(error.error.message).toBe("no [redacted]");
  });

  it("[G18] matches on decoded strings, however they are escaped", () => {
    const everyCharacter = (value: unknown) =>
      JSON.stringify(value).replaceAll(
        JSON.stringify(CANARY).slice(1, -1),
        [...CANARY].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
      );
    const message = {
      jsonrpc: "2.0",
      id: 1,
      result: { content: [{ type: "text", text: CANARY }] },
    };
    expect(scrubbed(message, everyCharacter).result.content[0].text).toBe("[redacted]");
  });

  it("[G18] never rewrites numbers, binary content and the words of the protocol", () => {
    const words = createScrub(createScrubber(words_()), true);
    const text = JSON.stringify({
      jsonrpc: "2.0",
      id: "content",
      result: {
        content: [
          { type: "resource", resource: { blob: "c3RydWN0dXJlZA==", uri: "a" } },
          { type: "image", data: "c3RydWN0dXJlZA==", n: 1234567 },
        ],
        contents: [{ blob: "c3RydWN0dXJlZA==" }],
      },
    });
    expect(words.message(Buffer.from(text)).toString()).toBe(text);
  });

  it("[G18] scrubs what an error carries, log messages and entries of lists, keys of free objects included", () => {
    const data = { [CANARY]: [CANARY, { [CANARY]: 1 }] };
    for (const message of [
      { jsonrpc: "2.0", id: 1, error: { code: 1, message: CANARY, data } },
      { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data } },
      { jsonrpc: "2.0", id: 1, result: { content: [], _meta: data } },
    ])
      expect(findCanary(JSON.stringify(scrubbed(message)))).toEqual([]);
    const tool = {
      name: "t",
      description: CANARY,
      inputSchema: { default: CANARY, type: "object" },
    };
    const entry = JSON.parse(scrub.entry(Buffer.from(JSON.stringify(tool))).toString());
    expect(entry).toMatchObject({
      description: "[redacted]",
      inputSchema: { default: "[redacted]" },
    });
  });

  it("[G18] leaves the binary content of prompts alone", () => {
    const words = createScrub(createScrubber(words_()), true);
    const content = { type: "image", data: "c3RydWN0dXJlZA==" };
    const message = { jsonrpc: "2.0", id: 1, result: { messages: [{ role: "user", content }] } };
    const text = JSON.stringify(message);
    expect(words.message(Buffer.from(text)).toString()).toBe(text);
  });

  it("hands back the same bytes where nothing is secret", () => {
    const bytes = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{ "a" : 12345678901234567890 }}');
    expect(scrub.message(bytes)).toBe(bytes);
    expect(createScrub(createScrubber([]), false).message(bytes)).toBe(bytes);
  });

  it("changes nothing but strings that hold the secret", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (structuredContent) => {
        const message = { jsonrpc: "2.0", id: 1, result: { structuredContent } };
        fc.pre(findCanary(JSON.stringify(message)).length === 0);
        expect(scrubbed(message)).toEqual(JSON.parse(JSON.stringify(message)));
      }),
    );
  });
});

function words_() {
  return ["content", "structured", "resource", "1234567", "c3RydWN0dXJlZA=="].map((value) => ({
    name: value,
    value,
  }));
}
