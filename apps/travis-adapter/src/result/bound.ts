import { countBytes, countLines, cutText, LimitError, type SpillStore } from "@core/bounds";
import type { ContentBlock, ToolResult } from "../host.ts";
import { limits } from "../limits.ts";
import type { Block, Draft } from "./draft.ts";

/** How long what is kept as a file stays: until the session ends, beyond it, or not even until it is read. */
export type Retention = "session" | "folder" | "process";

export interface Bounds {
  readonly spills: SpillStore;
  readonly retention: Retention;
  /** Replaces secrets by a mark. */
  readonly scrub: (text: string) => string;
}

/** The last door: the only maker of a result. What leaves is redacted, within 50 KiB and 2,000 lines, and names no path. */
export async function boundResult(draft: Draft, bounds: Bounds): Promise<ToolResult> {
  const paths: string[] = [];
  const keep = async (data: string | Uint8Array, extension: string): Promise<string> => {
    try {
      const content =
        typeof data === "string" ? bounds.scrub(data) : scrubBytes(data, bounds.scrub);
      const spill = await bounds.spills.write(content, extension);
      paths.push(spill.path);
      return `kept as ${spill.name} ${STAYS[bounds.retention]}`;
    } catch (error) {
      // A result that cannot be kept is still a result.
      const isFull = error instanceof LimitError;
      return `not kept: ${isFull ? "the session's space for files is used up" : "its file could not be written"}`;
    }
  };

  const shown: ContentBlock[] = [];
  for (const block of draft.blocks) shown.push(await show(block, keep, bounds.scrub));
  const fitted = await fit(shown, draft, keep);
  const { truncatedBy } = fitted;
  const spilled =
    paths.length === 0
      ? { spilled: false }
      : { spilled: true, spillPath: paths.at(-1), spillPaths: paths };
  return {
    content: fitted.content,
    details: {
      travis234Mcp: {
        operation: draft.label,
        isError: draft.isError,
        ...(draft.server === undefined ? {} : { server: draft.server }),
        ...draft.details,
        ...spilled,
        ...(truncatedBy === undefined ? {} : { truncatedBy }),
      },
    },
    isError: draft.isError,
  };
}

const STAYS: Readonly<Record<Retention, string>> = {
  session: "until the session ends",
  folder: "in the folder for spills",
  process: "until this command ended (--spills DIR keeps it)",
};

type Keep = (data: string | Uint8Array, extension: string) => Promise<string>;

async function show(
  block: Block,
  keep: Keep,
  scrub: (text: string) => string,
): Promise<ContentBlock> {
  if (block.type === "image") return showImage(block, scrub);
  const text =
    block.type === "text" ? block.text : block.text(await keep(block.data, block.extension));
  return { type: "text", text: scrub(text) };
}

/** An image in which a secret stands is not shown: redacted it would be none. */
function showImage(image: ContentBlock & { type: "image" }, scrub: Bounds["scrub"]): ContentBlock {
  const mimeType = scrub(image.mimeType);
  const data = Buffer.from(image.data, "base64");
  if (scrubBytes(data, scrub) === data) return { ...image, mimeType };
  return { type: "text", text: `[MCP image: ${mimeType}, not shown: it holds a secret value]` };
}

/** The same bytes if no secret stands in them. Latin-1 gives each byte a character of its own, and back. */
function scrubBytes(data: Uint8Array, scrub: Bounds["scrub"]): Uint8Array {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1");
  const scrubbed = scrub(text);
  return scrubbed === text ? data : Buffer.from(scrubbed, "latin1");
}

/** All text of a result shares one allowance, so that many small blocks cannot pass it. */
async function fit(
  blocks: readonly ContentBlock[],
  { narrow, closing }: Draft,
  keep: Keep,
): Promise<{ content: readonly ContentBlock[]; truncatedBy?: string }> {
  const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const bytes = countBytes(text);
  const lines = countLines(text);
  const crossed = [
    ...(bytes > limits.maxInlineBytes ? ["bytes"] : []),
    ...(lines > limits.maxInlineLines ? ["lines"] : []),
  ];
  if (crossed.length === 0) return { content: blocks };
  const kept = await keep(text, "txt");
  const { maxPreviewBytes: maxBytes, maxPreviewLines: maxLines } = limits;
  const preview = cutText(text, { maxBytes, maxLines }).text;
  const advice = narrow === undefined ? "" : `; to see more, ${narrow}`;
  const notice = `[Too long to show: ${bytes} bytes in ${lines} lines, at most ${limits.maxInlineBytes} bytes and ${limits.maxInlineLines} lines are. All of it is ${kept}${advice}.]`;
  const ending = closing === undefined ? "" : `\n${closing}`;
  const guarded: ContentBlock = {
    type: "text",
    text: `${notice}\nPreview:\n${preview}…${ending}`,
  };
  const first = blocks.findIndex(({ type }) => type === "text");
  const content = blocks.flatMap((block, index): ContentBlock[] => {
    if (block.type !== "text") return [block];
    return index === first ? [guarded] : [];
  });
  return { content, truncatedBy: crossed.join("+") };
}
