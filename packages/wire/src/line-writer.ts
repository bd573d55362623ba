import type { Writable } from "node:stream";

const LF = 0x0a;
const CR = 0x0d;
const BLANK = 0x20;
const LINE_END = Buffer.from("\n");

/** A message could not be handed to the child: it has ended, or takes no more input. Whether earlier ones were read is unknown. */
export class ChildGoneError extends Error {
  override readonly name = "ChildGoneError";
  readonly code = "CHILD_GONE";

  constructor(cause?: unknown) {
    super("The server's process takes no more input: it has ended or closed its stdin.", { cause });
  }
}

/**
 * Writes messages to a server, a line each; while the server is `busy`, all of one turn of the event loop together: with many calls at
 * a time, a system call for each was the largest part of a call. A caller who is alone never waits for others. Line breaks inside
 * the JSON become blanks. A write rejects with ChildGoneError when the pipe ends first.
 */
export function createLineWriter(
  stdin: Writable,
  busy: () => boolean,
): (message: string | Buffer) => Promise<void> {
  return (message) => {
    if (busy() && stdin.writableCorked === 0) {
      stdin.cork();
      setImmediate(() => stdin.uncork());
    }
    return writeLine(stdin, message);
  };
}

/** Node destroys the pipe at the exit, which settles every write that still waits: no send outlives its child. */
function writeLine(stdin: Writable, message: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const written = (error?: Error | null) => {
      // A write that is cut off so is reported as done.
      if (error || stdin.destroyed) reject(new ChildGoneError(error));
      else resolve();
    };
    if (typeof message === "string") {
      stdin.write(`${textOnOneLine(message)}\n`, written);
      return;
    }
    stdin.cork();
    stdin.write(onOneLine(message));
    stdin.write(LINE_END, written);
    stdin.uncork();
  });
}

function textOnOneLine(json: string): string {
  const broken = json.includes("\n") || json.includes("\r");
  return broken ? json.replace(/[\r\n]/g, " ") : json;
}

/** Raw line breaks in JSON stand between tokens only, where a blank means the same. */
function onOneLine(json: Buffer): Buffer {
  if (!json.includes(LF) && !json.includes(CR)) return json;
  const copy = Buffer.from(json);
  for (const lineBreak of [LF, CR]) {
    for (let at = copy.indexOf(lineBreak); at !== -1; at = copy.indexOf(lineBreak, at)) {
      copy[at] = BLANK;
    }
  }
  return copy;
}
