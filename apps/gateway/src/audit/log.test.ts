import { describe, expect, it } from "vitest";
import { createLog, type LogLevel, type LogSettings } from "./log.ts";

function logging(level: LogLevel, format: "text" | "json") {
  const lines: string[] = [];
  const log = createLog({
    settings: () => ({ level, format }),
    write: (line) => lines.push(line),
    scrub: (text) => text.replaceAll("hunter22", "[redacted]"),
    now: () => new Date(0),
  });
  return { log, lines };
}

describe("createLog", () => {
  it("writes the lines of its level and above", () => {
    const { log, lines } = logging("warn", "text");
    for (const level of ["debug", "info", "warn", "error"] as const) log[level](level);
    expect(lines).toEqual([
      "1970-01-01T00:00:00.000Z warn  warn\n",
      "1970-01-01T00:00:00.000Z error error\n",
    ]);
  });

  it("writes one JSON object a line", () => {
    const { log, lines } = logging("info", "json");
    log.info("two\nlines");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { time: "1970-01-01T00:00:00.000Z", level: "info", message: "two\nlines" },
    ]);
  });

  it("[G1] goes by settings that change while it is in use", () => {
    const lines: string[] = [];
    let settings: LogSettings = { level: "error", format: "text" };
    const write = (line: string) => lines.push(line);
    const log = createLog({
      settings: () => settings,
      write,
      scrub: String,
      now: () => new Date(0),
    });
    log.info("unheard");
    settings = { level: "info", format: "json" };
    log.info("heard");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ message: "heard" }]);
  });

  it("keeps secrets, line ends and control characters of a message out of a text line", () => {
    const { log, lines } = logging("info", "text");
    log.info("token hunter22\nforged line\u001b[31m");
    expect(lines).toEqual([
      "1970-01-01T00:00:00.000Z info  token [redacted] | forged line\uFFFD[31m\n",
    ]);
  });
});
