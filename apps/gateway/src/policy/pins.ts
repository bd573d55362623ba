import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { readMembers } from "@core/bounds";
import * as z from "zod";
import { writeStateFile } from "../config/state-file.ts";

/** What a pin is made of: what a model reads of a tool, and what its arguments and results are checked by. */
const PINNED_MEMBERS = ["name", "description", "inputSchema", "outputSchema"];

const VERSION = 1;
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const fileSchema = z.strictObject({
  version: z.literal(VERSION),
  servers: z.record(
    z.string(),
    z.record(z.string(), z.strictObject({ accepted: hash, seen: hash })),
  ),
});
type PinFile = z.output<typeof fileSchema>;

/** A pin as the command line shows it. */
export interface Pin {
  readonly server: string;
  readonly tool: string;
  /** Whether the definition that was last seen is the accepted one. */
  readonly state: "kept" | "drifted";
}

/** `broken`: the state file cannot be read or written, so that nobody knows what was accepted. */
export type PinVerdict = "kept" | "drifted" | "broken";

/** The definitions of pinned tools, in a state file. */
export interface Pins {
  /** Compares a definition with the accepted one; the first that is ever seen of a tool is accepted. */
  judge(server: string, tool: string, definition: Buffer): PinVerdict;
  /** Whether the file is another than when it was last read or written here. */
  hasChanged(): boolean;
  /** Whether the same definition may be judged otherwise now: the file has changed, or could not be written the last time. */
  needsLook(): boolean;
}

/** The state file cannot be used; nothing in it is lost or replaced. */
export class PinFileError extends Error {
  override readonly name = "PinFileError";
}

export function createPins(file: string): Pins {
  let content: PinFile | undefined;
  let stamp: string | undefined;
  /** What could not be written the last time it was judged. */
  const unwritten = new Set<string>();

  const load = () => {
    stamp = stampOf(file);
    try {
      content = readPinFile(file);
    } catch (error) {
      if (!(error instanceof PinFileError)) throw error;
      content = undefined;
    }
  };
  const hasChanged = () => stampOf(file) !== stamp;
  load();

  return {
    hasChanged,
    needsLook: () => unwritten.size > 0 || hasChanged(),
    judge(server, tool, definition) {
      if (hasChanged()) load();
      if (content === undefined) return "broken";
      const seen = hashOf(definition);
      const known = content.servers[server]?.[tool];
      const accepted = known?.accepted ?? seen;
      if (known?.seen !== seen) {
        const next = withPin(content, server, tool, { accepted, seen });
        // No server's name holds NUL.
        const key = `${server}\0${tool}`;
        unwritten.add(key);
        if (!tryWrite(file, next)) return "broken";
        unwritten.delete(key);
        content = next;
        stamp = stampOf(file);
      }
      return accepted === seen ? "kept" : "drifted";
    },
  };
}

/** Every pin of the file, in its order. Throws PinFileError. */
export function listPins(file: string): Pin[] {
  return Object.entries(readPinFile(file).servers).flatMap(([server, tools]) =>
    Object.entries(tools).map(
      ([tool, { accepted, seen }]): Pin => ({
        server,
        tool,
        state: accepted === seen ? "kept" : "drifted",
      }),
    ),
  );
}

/** Accepts what was last seen of a server's tool, or of all its tools, and returns the pins concerned. Throws PinFileError. */
export function acceptPins(file: string, server: string, tool: string | undefined): Pin[] {
  let content = readPinFile(file);
  const tools = Object.entries(content.servers[server] ?? {}).filter(
    ([name]) => tool === undefined || name === tool,
  );
  for (const [name, { seen }] of tools)
    content = withPin(content, server, name, { accepted: seen, seen });
  if (tools.length > 0) writePinFile(file, content);
  return tools.map(([name]) => ({ server, tool: name, state: "kept" }));
}

/** The bytes as they came: what looks the same and is written in another way is not what was accepted. */
function hashOf(definition: Buffer): string {
  const members = readMembers(definition);
  const digest = createHash("sha256");
  for (const wanted of PINNED_MEMBERS)
    for (const { key, valueStart, valueEnd } of members)
      if (key === wanted)
        digest.update(`${wanted}\0`).update(definition.subarray(valueStart, valueEnd)).update("\0");
  return digest.digest("hex");
}

function withPin(
  content: PinFile,
  server: string,
  tool: string,
  pin: { accepted: string; seen: string },
): PinFile {
  const servers = { ...content.servers, [server]: { ...content.servers[server], [tool]: pin } };
  return { ...content, servers };
}

function readPinFile(file: string): PinFile {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { version: VERSION, servers: {} };
    throw new PinFileError(
      `${file} cannot be read (${code}): make it readable, or remove it to pin anew`,
    );
  }
  const parsed = fileSchema.safeParse(tryParse(text));
  if (parsed.success) return parsed.data;
  throw new PinFileError(
    `${file} is no pin file of version ${VERSION}: restore it, or remove it to pin anew`,
  );
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // which no schema takes
  }
}

/** What could not be remembered must not be trusted at the next start either. */
function tryWrite(file: string, content: PinFile): boolean {
  try {
    writePinFile(file, content);
    return true;
  } catch {
    return false; // a full disk or a folder that is closed to us; the tool's sentence names the file's command
  }
}

function writePinFile(file: string, content: PinFile): void {
  writeStateFile(file, `${JSON.stringify(content, undefined, 2)}\n`);
}

function stampOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.ino} ${found.mtimeMs} ${found.size}`;
}
