import { CommandError, type Report } from "@core/terminal";
import { acceptPins, listPins, PinFileError } from "./policy/pins.ts";

type Results = Pick<Report, "result">;

/** `pin list`. A running daemon sees what these commands write, and they what it has seen. */
export function listPinned(file: string, report: Results): void {
  const pins = readable(() => listPins(file));
  const lines = pins.map(({ server, tool, state }) => `${state.padEnd(7)} ${server}.${tool}`);
  report.result(lines.join("\n") || "no tool is pinned yet", { pins });
}

/** `pin accept`, of one tool or of all of a server. */
export function acceptPinned(file: string, name: string, report: Results): void {
  const known = readable(() => listPins(file));
  const { server, tool } = targetOf(name, known);
  const accepted = readable(() => acceptPins(file, server, tool));
  if (accepted.length === 0)
    throw new CommandError("UNKNOWN_PIN", `no pinned tool ${name} has been seen`, {
      hint: "wraptool pin list shows the pinned tools",
    });
  const names = accepted.map((pin) => `${pin.server}.${pin.tool}`);
  report.result(`accepted ${names.join(", ")}`, { accepted });
}

/** `SERVER` or `SERVER.TOOL`. Both may hold dots, so the pins decide where one ends and the other begins. */
function targetOf(name: string, pins: readonly { server: string; tool: string }[]) {
  const exact = pins.find(({ server, tool }) => `${server}.${tool}` === name);
  return exact ?? { server: name, tool: undefined };
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PinFileError)) throw error;
    throw new CommandError("PIN_FILE", error.message, {
      hint: "Pinned tools stay hidden until it is repaired",
      cause: error,
    });
  }
}
