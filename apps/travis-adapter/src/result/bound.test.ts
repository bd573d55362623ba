import { readFile, stat } from "node:fs/promises";
import { countBytes, countLines, createSpillStore } from "@core/bounds";
import { createTempFolder, edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { limits } from "../limits.ts";
import { type Bounds, boundResult } from "./bound.ts";
import { type Block, textBlock } from "./draft.ts";

/** Bounds blocks over a store of the test's own, and hands the result to `look` while the files are there. */
async function bound(
  blocks: readonly Block[],
  look: (text: string, result: Awaited<ReturnType<typeof boundResult>>) => unknown,
  options: Partial<Bounds> & { quotaBytes?: number } = {},
): Promise<void> {
  await using folder = createTempFolder();
  const { quotaBytes = limits.maxSpillBytes } = options;
  await using spills = createSpillStore({ app: "test", quotaBytes, parent: folder.path });
  const draft = {
    label: "call",
    server: "s",
    isError: false,
    blocks,
    narrow: "ask for less",
  } as const;
  const result = await boundResult(draft, {
    spills,
    retention: "session",
    scrub: (text) => text,
    ...options,
  });
  await look(
    result.content.map((block) => (block.type === "text" ? block.text : "[image]")).join("\n"),
    result,
  );
}

const pathOf = (result: { details: { travis234Mcp: Record<string, unknown> } }) =>
  result.details.travis234Mcp.spillPath as string;

describe("boundResult", () => {
  it("[A31] shows 50 KiB and 2,000 lines whole, and a preview of one more", async () => {
    const bytes = edges(limits.maxInlineBytes).map((n) => textBlock("x".repeat(n)));
    const lines = edges(limits.maxInlineLines).map((n) => textBlock("\n".repeat(n - 1)));
    const spilled: unknown[] = [];
    for (const block of [...bytes, ...lines])
      await bound([block], (_text, result) =>
        spilled.push(result.details.travis234Mcp.truncatedBy),
      );
    expect(spilled).toEqual([undefined, undefined, "bytes", undefined, undefined, "lines"]);
  });

  it("[A31] counts all text of a result together, so that many small blocks cannot pass", async () => {
    const blocks = Array.from({ length: 60 }, () => textBlock("y".repeat(1000)));
    await bound(blocks, (text, result) => {
      expect(result.content).toHaveLength(1);
      expect(countBytes(text)).toBeLessThanOrEqual(limits.maxInlineBytes);
      expect(countLines(text)).toBeLessThanOrEqual(limits.maxInlineLines);
    });
  });

  it("[A32] keeps the whole text in a private file, whose name the model sees and whose path the host", async () => {
    const whole = "é".repeat(limits.maxInlineBytes);
    await bound([textBlock(whole)], async (text, result) => {
      const path = pathOf(result);
      expect(await readFile(path, "utf8")).toBe(whole);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      const name = path.split("/").at(-1) as string;
      expect(text).toContain(name);
      expect(text).toContain("to see more, ask for less");
      expect(text).not.toContain(path);
    });
  });

  it("[A32] says so when there is no room for the file, and still shows the preview", async () => {
    const block = textBlock("z".repeat(limits.maxInlineBytes + 1));
    await bound([block], (text) => expect(text).toMatch(/not kept.*\nPreview:\nzzz/s), {
      quotaBytes: 10,
    });
  });

  it("keeps images where they stood", async () => {
    const image: Block = { type: "image", data: "AAAA", mimeType: "image/png" };
    const long = textBlock("x".repeat(limits.maxInlineBytes));
    await bound([long, image, long], (_text, { content }) =>
      expect(content.map(({ type }) => type)).toEqual(["text", "image"]),
    );
  });

  it("[A34] redacts what is shown and what is kept", async () => {
    const scrub = (text: string) => text.replaceAll("secret", "[redacted]");
    const long = textBlock(`secret${" ".repeat(limits.maxInlineBytes)}`);
    const look = async (text: string, result: Parameters<typeof pathOf>[0]) => {
      expect(text + (await readFile(pathOf(result), "utf8"))).not.toContain("secret");
    };
    await bound([long], look, { scrub });
  });

  it("[A32] keeps 256 MiB a session and not a byte more", async () => {
    const kept: unknown[] = [];
    for (const bytes of edges(limits.maxSpillBytes)) {
      // Nothing is written: only the account is looked at.
      await using folder = createTempFolder();
      const store = { app: "test", quotaBytes: limits.maxSpillBytes, parent: folder.path };
      await using spills = createSpillStore({ ...store, writeFile: async () => {} });
      await spills.write(new Uint8Array(bytes - 1), "bin");
      const text = (told: string) => told;
      const file = { type: "file", data: new Uint8Array(1), extension: "bin", text } as const;
      const draft = { label: "call", isError: false, blocks: [file] } as const;
      const scrub = (shown: string) => shown;
      const { content } = await boundResult(draft, { spills, retention: "session", scrub });
      kept.push(content[0]?.type === "text" && /^(not )?kept/.exec(content[0].text)?.[0]);
    }
    expect(kept).toEqual(["kept", "kept", "not kept"]);
  });

  it("[A34] withholds an image in which a secret stands, and redacts its bytes in a file", async () => {
    const scrub = (text: string) => text.replaceAll("secret", "[redacted]");
    const bytes = Buffer.from("\xff\x00secret\xfe", "latin1");
    const data = bytes.toString("base64");
    const told = (kept: string) => kept;
    const file: Block = { type: "file", data: bytes, extension: "bin", text: told };
    const plain = Buffer.from("plain").toString("base64");
    await bound(
      [
        { type: "image", data, mimeType: "image/png" },
        { type: "image", data: plain, mimeType: "image/secret" },
        file,
      ],
      async (text, result) => {
        expect(text).toMatch(/^\[MCP image: image\/png, not shown: it holds a secret value\]/);
        expect(result.content[1]).toEqual({
          type: "image",
          data: plain,
          mimeType: "image/[redacted]",
        });
        expect(await readFile(pathOf(result), "latin1")).toBe("\xff\x00[redacted]\xfe");
      },
      { scrub },
    );
  });
});
