import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { limits } from "../limits.ts";
import { draftCall } from "./call.ts";

const REFERENCE = `mcp-resource-${"0a".repeat(16)}`;
const base64 = (text: string) => Buffer.from(text).toString("base64");
const draft = (result: Record<string, unknown>) =>
  draftCall({
    operation: "tools.call",
    server: "s",
    result,
    isChecked: true,
    links: new Map([["https://user:secret@x/?k=v", REFERENCE]]),
    declined: [],
  });
const shown = (result: Record<string, unknown>) =>
  draft(result).blocks.map((block) => {
    if (block.type === "image") return block;
    return block.type === "text" ? block.text : block.text("kept as NAME");
  });

describe("draftCall", () => {
  it("[A33] keeps text verbatim and images as they are", () => {
    const image = { type: "image", data: base64("png"), mimeType: "image/png" };
    expect(shown({ content: [{ type: "text", text: " a\n" }, image] })).toEqual([" a\n", image]);
  });

  it("[A33] keeps an image of up to 5 MiB inline", () => {
    const sizes = edges(limits.maxInlineImageBytes).map((bytes) =>
      Buffer.alloc(bytes).toString("base64"),
    );
    const types = sizes.map(
      (data) =>
        draft({ content: [{ type: "image", data, mimeType: "image/png" }] }).blocks[0]?.type,
    );
    expect(types).toEqual(["image", "image", "file"]);
  });

  it.each<[unknown, string]>([
    [
      { type: "audio", data: base64("wave"), mimeType: "audio/wav" },
      "[MCP audio: audio/wav, 4 bytes; kept as NAME]",
    ],
    [
      { type: "image", data: "no base64!", mimeType: "image/png" },
      "[MCP image: image/png, not shown: no valid base64]",
    ],
    [
      {
        type: "resource_link",
        uri: "https://user:secret@x/?k=v",
        name: "manual",
        mimeType: "text/plain",
        size: 7,
      },
      `[MCP resource link: manual, text/plain, 7 bytes, ${REFERENCE}]`,
    ],
    [
      {
        type: "resource",
        resource: { uri: "file:///secret", text: "body", mimeType: "text/plain" },
      },
      "[MCP resource: without a name, text/plain]\n[Untrusted MCP resource data]\nmime=text/plain\nbody\n[/Untrusted MCP resource data]",
    ],
    [
      { type: "resource", resource: { uri: "file:///secret", blob: base64("1234") } },
      "[MCP resource: without a name, unknown MIME type]\n[MCP resource: unknown MIME type, 4 bytes; kept as NAME]",
    ],
    [{ type: "video", data: "AAAA" }, "[Unsupported MCP content: video]"],
    [{ type: "text" }, "[Unsupported MCP content: text]"],
    ["text", "[Unsupported MCP content: block without a type]"],
  ])("[A33] shows %j as %s", (block, text) => {
    expect(shown({ content: [block] })).toEqual([text]);
  });

  it("[A33] adds structured output unless a text already is that JSON", () => {
    const structuredContent = { b: [1], a: "é" };
    const same = { type: "text", text: '{ "a": "é", "b": [1] }' };
    expect(shown({ content: [same], structuredContent })).toEqual([same.text]);
    expect(shown({ content: [], structuredContent })).toEqual(['{"b":[1],"a":"é"}']);
    expect(shown({ content: [{ type: "text", text: "1" }], structuredContent: [1] })).toEqual([
      "1",
      "[1]",
    ]);
  });

  it("[A33] makes isError a tool error, and takes an empty or odd result", () => {
    expect(draft({ content: [{ type: "text", text: "no" }], isError: true }).isError).toBe(true);
    expect(shown({})).toEqual(["The tool returned no content"]);
    expect(shown({ content: "text" })).toEqual(["The tool returned no content"]);
  });

  it("[A16] says when the arguments were not checked", () => {
    const outcome = { operation: "tools.call", server: "s", result: {}, isChecked: false } as const;
    const rest = { links: new Map<string, string>(), declined: [] };
    expect(draftCall({ ...outcome, ...rest }).blocks.at(-1)).toMatchObject({
      text: expect.stringContaining("not checked"),
    });
  });
});
