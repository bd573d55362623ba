import { cutBytes, cutText, LimitError, type Spill, type SpillStore } from "@core/bounds";
import type { OutputLimits } from "../config/config.ts";
import { MAX_PAGE_BYTES, MAX_SESSION_SPILLS } from "../limits.ts";
import type { ClientSession } from "../upstream/client-session.ts";

/** Keeps what was cut from answers, for the session that asked and for no other. */
export interface Spills {
  /** Keeps a text and returns the URI of its first page. Rejects with LimitError or SpillError. */
  keep(session: ClientSession, text: string, limits: OutputLimits): Promise<string>;
  /** A page; undefined for one that the session was never told of. Rejects with SpillError. */
  read(session: ClientSession, uri: string): Promise<SpillPage | undefined>;
}

interface SpillPage {
  readonly text: string;
  /** The URI of the next page, if there is one. */
  readonly next: string | undefined;
}

const URI = /^wraptool:\/\/spill\/([0-9a-f]{32})\?page=([1-9]\d{0,8})$/;

/** Whether a URI is one of the gateway's own, of whatever session. */
export function isSpillUri(uri: string): boolean {
  return uri.startsWith("wraptool://");
}

/** Below these a page might hold nothing of a text: one character, and one line with its end. */
const MIN_PAGE = { bytes: 4, lines: 2 };

interface Kept {
  readonly spill: Spill;
  readonly limits: OutputLimits;
  /** Where the pages begin that the session knows of. */
  readonly starts: number[];
}

export function createSpills(store: Pick<SpillStore, "write" | "read" | "remove">): Spills {
  const bySession = new WeakMap<ClientSession, Map<string, Kept>>();

  const shelfOf = (session: ClientSession) => {
    const known = bySession.get(session);
    if (known !== undefined) return known;
    const shelf = new Map<string, Kept>();
    bySession.set(session, shelf);
    session.onEnd(() => {
      bySession.delete(session);
      for (const id of [...shelf.keys()]) drop(shelf, id);
    });
    return shelf;
  };
  const drop = async (shelf: Map<string, Kept>, id: string) => {
    const kept = shelf.get(id);
    shelf.delete(id);
    // A file that cannot be removed goes with its folder when the gateway ends.
    if (kept !== undefined) await store.remove(kept.spill.name).catch(() => {});
  };
  /** Makes room by giving up the session's oldest spills. */
  const write = async (shelf: Map<string, Kept>, text: string): Promise<Spill> => {
    for (;;)
      try {
        return await store.write(text, "txt");
      } catch (error) {
        const oldest = shelf.keys().next().value;
        if (!(error instanceof LimitError) || oldest === undefined) throw error;
        await drop(shelf, oldest);
      }
  };

  return {
    async keep(session, text, limits) {
      const shelf = shelfOf(session);
      const spill = await write(shelf, text);
      const id = spill.name.slice(0, 32);
      shelf.set(id, { spill, limits, starts: [0] });
      const oldest = shelf.keys().next().value;
      if (shelf.size > MAX_SESSION_SPILLS && oldest !== undefined) drop(shelf, oldest);
      // The session may have ended while the file was written.
      if (bySession.get(session) !== shelf) drop(shelf, id);
      return uriOf(id, 1);
    },
    async read(session, uri) {
      const [, id = "", number] = URI.exec(uri) ?? [];
      const kept = bySession.get(session)?.get(id);
      const page = Number(number);
      const start = kept?.starts[page - 1];
      if (kept === undefined || start === undefined) return undefined;
      const { spill, limits, starts } = kept;
      const maxBytes = Math.max(MIN_PAGE.bytes, limits.bytes || MAX_PAGE_BYTES);
      const maxLines = limits.lines === 0 ? undefined : Math.max(MIN_PAGE.lines, limits.lines);
      // A byte more tells whether a character ends with the page.
      const bytes = cutBytes(await store.read(spill.name, start, maxBytes + 1), maxBytes);
      const cut = cutText(Buffer.from(bytes).toString("utf8"), { maxLines });
      const end = start + cut.kept.bytes;
      if (end >= spill.bytes) return { text: cut.text, next: undefined };
      starts[page] = end;
      return { text: cut.text, next: uriOf(id, page + 1) };
    },
  };
}

function uriOf(id: string, page: number): string {
  return `wraptool://spill/${id}?page=${page}`;
}
