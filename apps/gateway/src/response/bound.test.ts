import { countBytes, countLines } from "@core/bounds";
import fc from "fast-check";
import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { session } from "../../test/client-session.ts";
import { createBound } from "./bound.ts";

const URI = "wraptool://spill/0123456789abcdef0123456789abcdef?page=1";

function bounding(keep = async (_text: string) => URI) {
  const kept: string[] = [];
  const bound = createBound({
    keep(_session, text) {
      kept.push(text);
      return keep(text);
    },
  });
  const answer = async (result: unknown, bytes: number, lines: number) => {
    const message = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
    const bounded = await bound(message, { bytes, lines }, session());
    return { same: bounded === message, result: JSON.parse(bounded.toString()).result };
  };
  return { answer, kept };
}
const texts = (...values: string[]) => values.map((text) => ({ type: "text", text }));

describe("createBound", () => {
  it("[G19] hands an answer within both limits back as the same bytes", async () => {
    const { answer, kept } = bounding();
    const content = texts("x".repeat(50), "a\nb");
    expect((await answer({ content }, 53, 3)).same).toBe(true);
    expect((await answer({ content }, 0, 0)).same).toBe(true);
    expect((await answer({ content, x: [1e3] }, 53, 0)).same).toBe(true);
    expect(kept).toEqual([]);
  });

  it("[G19] counts bytes and lines of text and structured content together, to the last of each", async () => {
    const structuredContent = { a: "one\ntwo" };
    const result = { content: texts("é".repeat(100), "x\ny"), structuredContent };
    const total = 200 + 3 + JSON.stringify(structuredContent).length;
    for (const [limit, fits] of edges(total).map((at) => [at, at >= total] as const))
      expect((await bounding().answer(result, limit, 0)).same).toBe(fits);
    for (const [limit, fits] of edges(5).map((at) => [at, at >= 5] as const))
      expect((await bounding().answer(result, 0, limit)).same).toBe(fits);
  });

  it("[G19] cuts text, says how much is left and where, and ends with a link to the whole", async () => {
    const { answer, kept } = bounding();
    const content = [...texts("é".repeat(100)), { type: "image", data: "AAAA" }, ...texts("gone")];
    const { result } = await answer({ content, _meta: { kept: 1 } }, 101, 0);
    expect(result.content[0]).toEqual({ type: "text", text: "é".repeat(50) });
    expect(result.content.slice(1)).toEqual([
      { type: "image", data: "AAAA" },
      {
        type: "text",
        text: expect.stringContaining("104 bytes (1 lines) of this answer are left out"),
      },
      expect.objectContaining({ type: "resource_link", uri: URI, size: 205 }),
    ]);
    expect(result._meta).toEqual({ kept: 1 });
    expect(result.isError).toBeUndefined();
    expect(kept).toEqual([`${"é".repeat(100)}\ngone`]);
  });

  it("[G19] keeps structured content that fits whole, and cuts the text beside it", async () => {
    const structuredContent = { n: 12 };
    const { result } = await bounding().answer(
      { content: texts("x".repeat(200)), structuredContent },
      108,
      0,
    );
    expect(result.structuredContent).toEqual(structuredContent);
    expect(result.content[0].text).toHaveLength(100);
    expect(result.isError).toBeUndefined();
  });

  it("[G19] turns structured content that does not fit into an error with a preview, never half an object", async () => {
    const structuredContent = { items: Array.from({ length: 100 }, (_, n) => n) };
    const json = JSON.stringify(structuredContent);
    for (const content of [texts(json), [], texts("a summary")]) {
      const { answer, kept } = bounding();
      const { result } = await answer({ content, structuredContent, isError: false }, 60, 0);
      expect(result).not.toHaveProperty("structuredContent");
      expect(result.isError).toBe(true);
      const whole = content[0]?.text === "a summary" ? `a summary\n${json}` : json;
      expect(kept).toEqual([whole]);
      expect(whole.startsWith(result.content[0].text)).toBe(true);
      expect(result.content.at(-1).uri).toBe(URI);
    }
  });

  it("[G19] bounds the texts of a resource, and names the next page in _meta", async () => {
    const { answer } = bounding();
    const { result } = await answer({ contents: [{ uri: "a:b", text: "x".repeat(300) }] }, 100, 0);
    expect(result.contents).toEqual([{ uri: "a:b", text: "x".repeat(100) }]);
    expect(result._meta).toEqual({ "wraptool/next": URI });
  });

  it("[G19] says so if the rest cannot be kept", async () => {
    const { answer } = bounding(() => Promise.reject(new Error("the disk is full")));
    const { result } = await answer({ content: texts("x".repeat(300)) }, 100, 0);
    expect(result.content).toHaveLength(2);
    expect(result.content[1].text).toContain("could not be kept: the disk is full");
  });

  it("[G19] never counts or cuts binary content, and leaves unknown blocks out whole", async () => {
    const { answer } = bounding();
    const image = { type: "image", data: "A".repeat(1000) };
    const blob = { type: "resource", resource: { uri: "a:b", blob: "A".repeat(1000) } };
    expect((await answer({ content: [image, blob] }, 100, 0)).same).toBe(true);
    const odd = { type: "video", frames: "A".repeat(1000) };
    const { result } = await answer({ content: [odd, image] }, 100, 0);
    expect(result.content[0]).toEqual(image);
    expect(JSON.stringify(result)).not.toContain("video");
  });

  it("[G19] leaves errors and other answers alone", async () => {
    const { answer } = bounding();
    const messages = [{ role: "user", content: { type: "text", text: "x".repeat(300) } }];
    expect((await answer({ messages }, 100, 0)).same).toBe(true);
    expect((await answer({ content: "x".repeat(300) }, 100, 0)).same).toBe(true);
    expect((await answer(null, 1, 0)).same).toBe(true);
  });

  it("[G19] shows no more than the limits of any texts, and always a start of the whole", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "é", "\n", "😀", '"') });
    await fc.assert(
      fc.asyncProperty(
        fc.array(text),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 9 }),
        async (values, bytes, lines) => {
          const { answer, kept } = bounding();
          const { same, result } = await answer({ content: texts(...values) }, bytes, lines);
          const own = same ? result.content : result.content.slice(0, -2);
          const shown: string[] = own.map(({ text }: { text: string }) => text);
          expect(shown.reduce((sum, one) => sum + countBytes(one), 0)).toBeLessThanOrEqual(bytes);
          expect(shown.reduce((sum, one) => sum + countLines(one), 0)).toBeLessThanOrEqual(lines);
          if (!same) expect(kept[0]?.startsWith(shown.join("\n"))).toBe(true);
        },
      ),
    );
  });
});
