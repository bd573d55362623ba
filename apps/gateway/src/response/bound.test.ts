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
  const whole = async (message: object, bytes: number, lines: number) => {
    const given = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }));
    const bounded = await bound(given, { bytes, lines }, session());
    return { same: bounded === given, ...JSON.parse(bounded.toString()) };
  };
  const answer = (result: unknown, bytes: number, lines: number) => whole({ result }, bytes, lines);
  return { answer, whole, kept };
}
const texts = (...values: string[]) => values.map((text) => ({ type: "text", text }));

/** What an answer takes of max_output, counted anew: its texts, other blocks as JSON, structured content. */
function sizeOf({
  content = [],
  structuredContent,
}: {
  content?: { text?: string }[];
  structuredContent?: unknown;
}) {
  const shown = content.map((block) => block.text ?? JSON.stringify(block));
  const all =
    structuredContent === undefined ? shown : [...shown, JSON.stringify(structuredContent)];
  return {
    bytes: all.reduce((sum, one) => sum + countBytes(one), 0),
    lines: all.reduce((sum, one) => sum + countLines(one), 0),
  };
}

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
    const content = [...texts("é".repeat(2000)), { type: "image", data: "AAAA" }, ...texts("gone")];
    const { result } = await answer({ content, _meta: { kept: 1 } }, 2001, 0);
    const [shown, image, note, link, ...more] = result.content;
    const left = 4004 - countBytes(shown.text);
    expect(shown).toEqual({ type: "text", text: "é".repeat(countBytes(shown.text) / 2) });
    expect([image, more]).toEqual([{ type: "image", data: "AAAA" }, []]);
    expect(note.text).toContain(`${left} bytes (1 lines) of this answer are left out`);
    expect(link).toMatchObject({ type: "resource_link", uri: URI, size: 4005 });
    expect(result._meta).toEqual({ kept: 1 });
    expect(result.isError).toBeUndefined();
    expect(kept).toEqual([`${"é".repeat(2000)}\ngone`]);
  });

  it.each(edges(2000))(
    "[G19] shows at most %i bytes, the line and the link among them, and hardly less",
    async (limit) => {
      const { result } = await bounding().answer({ content: texts("x".repeat(9000)) }, limit, 0);
      const { bytes } = sizeOf({ content: [...result.content.slice(0, 2)] });
      const link = countBytes(JSON.stringify(result.content[2]));
      expect(bytes + link).toBeLessThanOrEqual(limit);
      // The line is shorter by what it does not have to say of structured content.
      expect(bytes + link).toBeGreaterThan(limit - 60);
    },
  );

  it.each(edges(10))(
    "[G19] shows at most %i lines, the line and the link among them",
    async (limit) => {
      const { result } = await bounding().answer({ content: texts("x\n".repeat(90)) }, 0, limit);
      expect(sizeOf(result).lines).toBe(limit);
    },
  );

  it("[G19] leaves half of limits that are too small for the line and the link to the answer itself", async () => {
    const { result } = await bounding().answer({ content: texts("x".repeat(300)) }, 100, 0);
    expect(result.content[0].text).toBe("x".repeat(50));
    const few = await bounding().answer({ content: texts("x\n".repeat(30)) }, 0, 2);
    expect(few.result.content[0].text).toBe("x");
  });

  it("[G19] keeps structured content that fits whole, and cuts the text beside it", async () => {
    const structuredContent = { n: "12".repeat(500) };
    const { result } = await bounding().answer(
      { content: texts("x".repeat(2000)), structuredContent },
      2000,
      0,
    );
    expect(result.structuredContent).toEqual(structuredContent);
    expect(result.content[0].text.length).toBeGreaterThan(400);
    expect(sizeOf(result).bytes).toBeLessThanOrEqual(2000);
    expect(result.isError).toBeUndefined();
  });

  it("[G19] turns structured content that does not fit into an error with a preview, never half an object", async () => {
    const structuredContent = { items: Array.from({ length: 1000 }, (_, n) => n) };
    const json = JSON.stringify(structuredContent);
    for (const content of [texts(json), [], texts("a summary")])
      for (const limit of [60, 2000, json.length]) {
        const { answer, kept } = bounding();
        const given = { content: [...content, ...texts("")], structuredContent, isError: false };
        const { result } = await answer({ ...given, content }, limit - 1, 0);
        expect(result).not.toHaveProperty("structuredContent");
        expect(result.isError).toBe(true);
        const whole = content[0]?.text === "a summary" ? `a summary\n${json}` : json;
        expect(kept).toEqual([whole]);
        expect(whole.startsWith(result.content[0].text)).toBe(true);
        expect(result.content.at(-1).uri).toBe(URI);
        if (limit > 1000) expect(sizeOf(result).bytes).toBeLessThan(limit);
      }
  });

  it("[G19] counts members that stand twice with both, and shows neither half", async () => {
    const { answer } = bounding();
    const twice = (first: unknown, last: unknown) =>
      `"content":${JSON.stringify(first)},"content":${JSON.stringify(last)}`;
    const bound = createBound({ keep: async () => URI });
    const big = texts("x".repeat(3000));
    const given = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{${twice([], big)}}}`);
    const bounded = await bound(given, { bytes: 1000, lines: 0 }, session());
    expect(bounded.length).toBeLessThan(2500);
    expect(sizeOf(JSON.parse(bounded.toString()).result).bytes).toBeLessThanOrEqual(1000);
    const hidden = { contents: [], content: big };
    expect(sizeOf((await answer(hidden, 1000, 0)).result).bytes).toBeLessThanOrEqual(1000);
  });

  it("[G19] bounds the texts of a resource, and says in _meta what is left and where", async () => {
    const { answer } = bounding();
    const contents = [{ uri: "a:b", text: "x".repeat(300) }];
    const { result } = await answer({ contents, _meta: { kept: 1 } }, 100, 0);
    expect(result.contents).toEqual([{ uri: "a:b", text: "x".repeat(100) }]);
    expect(result._meta).toEqual({
      "wraptool/next": URI,
      "wraptool/note": expect.stringContaining("200 bytes (0 lines) of this answer are left out"),
      kept: 1,
    });
  });

  it("[G19] bounds the messages of a prompt, and its description", async () => {
    const message = (text: string) => ({ role: "assistant", content: { type: "text", text } });
    const image = { role: "user", content: { type: "image", data: "A".repeat(5000) } };
    const messages = [message("x".repeat(600)), image, message("y".repeat(600)), message("z")];
    const { answer, kept } = bounding();
    const within = { description: "d".repeat(100), messages };
    expect((await answer(within, 1301, 0)).same).toBe(true);
    const { result } = await answer(within, 1300, 0);
    expect(result.description).toBe("d".repeat(100));
    expect(result.messages.slice(0, 2)).toEqual([messages[0], image]);
    expect(result.messages[2].content.text).toMatch(/^y+$/);
    expect(result.messages.at(-2)).toMatchObject({
      role: "user",
      content: { type: "text", text: expect.stringContaining("of this answer are left out") },
    });
    expect(result.messages.at(-1)).toMatchObject({ role: "user", content: { uri: URI } });
    expect(kept[0]).toBe(["d".repeat(100), "x".repeat(600), "y".repeat(600), "z"].join("\n"));
    const described = await answer({ description: "d".repeat(3000), messages: [] }, 1000, 0);
    expect(described.result.description).toMatch(/^d{500,700}$/);
    expect(described.result.messages).toHaveLength(2);
  });

  it("[G19] bounds what an error says, and leaves its data out with it", async () => {
    const { whole, kept } = bounding();
    const error = { code: -32000, message: "m".repeat(900), data: { d: "d".repeat(90) } };
    const size = 900 + JSON.stringify(error.data).length;
    expect((await whole({ error }, size, 0)).same).toBe(true);
    const cut = await whole({ error }, size - 1, 0);
    expect(cut.error).toEqual({ code: -32000, message: expect.stringMatching(/^m+ \[wraptool: /) });
    expect(countBytes(cut.error.message)).toBeLessThan(size);
    expect(kept).toEqual([`${error.message}\n${JSON.stringify(error.data)}`]);
  });

  it("[G19] bounds the values of a completion, whole ones from the first", async () => {
    const { answer, kept } = bounding();
    const completion = { values: ["a".repeat(40), "b".repeat(40), "c"], total: 3, x: 1 };
    // With their quotes.
    expect((await answer({ completion }, 87, 3)).same).toBe(true);
    const values = completion.values.slice(0, 2);
    for (const [bytes, lines] of [
      [86, 0],
      [0, 2],
    ] as const)
      expect((await answer({ completion }, bytes, lines)).result).toEqual({
        completion: { ...completion, values, hasMore: true },
      });
    expect(kept).toEqual([]);
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
    // Two texts in one block: which one is shown is the client's affair, so that both count.
    const both = { type: "resource", text: "a", resource: { uri: "a:b", text: "A".repeat(1000) } };
    expect(JSON.stringify(await answer({ content: [both] }, 500, 0))).not.toContain("AAA");
  });

  it("[G19] leaves answers without any of these alone", async () => {
    const { answer } = bounding();
    expect((await answer({ content: "x".repeat(300) }, 100, 0)).same).toBe(true);
    expect((await answer({ completion: "x".repeat(300) }, 100, 0)).same).toBe(true);
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

  it("[G19] keeps any answer with text and structured content within limits that have room for the line and the link", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "é", "\n", "😀"), maxLength: 900 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 4 }),
        fc.option(fc.array(fc.string({ maxLength: 300 })), { nil: undefined }),
        fc.integer({ min: 900, max: 2500 }),
        fc.integer({ min: 4, max: 500 }),
        async (values, structuredContent, bytes, lines) => {
          const given = { content: texts(...values), structuredContent };
          const { result } = await bounding().answer(given, bytes, lines);
          const size = sizeOf(result);
          expect(size.bytes).toBeLessThanOrEqual(bytes);
          expect(size.lines).toBeLessThanOrEqual(lines);
          if (result.structuredContent !== undefined)
            expect(result.structuredContent).toEqual(structuredContent);
        },
      ),
    );
  });
});
