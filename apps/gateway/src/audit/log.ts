export type LogLevel = "debug" | "info" | "warn" | "error";

/** The daemon's voice: one line an event. */
export type Log = Readonly<Record<LogLevel, (message: string) => void>>;

/** What a reload may change while the log is in use. */
export interface LogSettings {
  /** Lines below this level are dropped. */
  readonly level: LogLevel;
  readonly format: "text" | "json";
}

export interface LogOptions {
  settings(): LogSettings;
  /** Takes one line with its line end. */
  write(line: string): void;
  /** Removes secret values from a message before it is written. */
  scrub(text: string): string;
  now(): Date;
}

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

export function createLog({ settings, write, scrub, now }: LogOptions): Log {
  const say = (at: LogLevel) => (message: string) => {
    const { level, format } = settings();
    if (LEVELS.indexOf(at) < LEVELS.indexOf(level)) return;
    const encode = format === "json" ? jsonLine : textLine;
    write(encode(now(), at, scrub(message)));
  };
  return Object.freeze({
    debug: say("debug"),
    info: say("info"),
    warn: say("warn"),
    error: say("error"),
  });
}

function jsonLine(time: Date, level: LogLevel, message: string): string {
  return `${JSON.stringify({ time: time.toISOString(), level, message })}\n`;
}

/** Control characters would let what a server prints forge lines or drive the terminal. */
function textLine(time: Date, level: LogLevel, message: string): string {
  const safe = message.replace(/\s*[\r\n]+\s*/g, " | ").replace(/[\p{Cc}\p{Cf}]/gu, "\uFFFD");
  return `${time.toISOString()} ${level.padEnd(5)} ${safe}\n`;
}
