import { CommandError, type Report } from "@core/terminal";
import { acceptPins, listPins, PinFileError } from "./policy/pins.ts";

/** Makes `pin list` and `pin accept`, which read and write the state file; a running daemon sees what they write. */
export function createPinCommands(file: string, report: Pick<Report, "result">) {
  return {
    list(): void {
      const pins = readable(() => listPins(file));
      const lines = pins.map(({ server, tool, state }) => `${state.padEnd(7)} ${server}.${tool}`);
      report.result(lines.join("\n") || "no tool is pinned yet", { pins });
    },
    accept(name: string): void {
      const { server, tool } = targetOf(
        name,
        readable(() => listPins(file)),
      );
      const accepted = readable(() => acceptPins(file, server, tool));
      if (accepted.length === 0)
        throw new CommandError("UNKNOWN_PIN", `no pinned tool ${name} has been seen`, {
          hint: "wraptool pin list shows the pinned tools",
        });
      const names = accepted.map((pin) => `${pin.server}.${pin.tool}`);
      report.result(`accepted ${names.join(", ")}`, { accepted });
    },
  };
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
