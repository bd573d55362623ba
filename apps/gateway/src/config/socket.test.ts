import { describe, expect, it } from "vitest";
import { findPlaces } from "./place.ts";
import { isWindowsPipe, socketOf } from "./socket.ts";

const windows = findPlaces({ LOCALAPPDATA: "C:\\L" }, "C:\\Users\\me", "win32");
const FILE = "C:\\Users\\me\\gateway.yaml";

describe("socketOf", () => {
  it("[G3] is the named path, or a file in the state folder", () => {
    const places = findPlaces({}, "/home/me", "darwin");
    expect(socketOf("/run/s", "/c.yaml", places)).toBe("/run/s");
    expect(socketOf(undefined, "/c.yaml", places)).toBe(
      "/home/me/.local/state/wraptool/wraptool.sock",
    );
  });

  it("[G3] on Windows is a pipe for the user and the configuration, in whatever case they are written", () => {
    const pipe = socketOf(undefined, FILE, windows);
    expect(pipe).toMatch(/^\\\\\.\\pipe\\wraptool-[0-9a-f]{32}$/);
    expect(socketOf("C:\\run\\s.sock", FILE.toLowerCase(), windows)).toBe(pipe);
    expect(socketOf(undefined, "C:\\other.yaml", windows)).not.toBe(pipe);
    const other = findPlaces({ LOCALAPPDATA: "C:\\L" }, "C:\\Users\\you", "win32");
    expect(socketOf(undefined, FILE, other)).not.toBe(pipe);
  });

  it("[G3] on Windows is the pipe that the configuration names", () => {
    expect(socketOf("\\\\.\\Pipe\\mine", FILE, windows)).toBe("\\\\.\\Pipe\\mine");
  });
});

it.each([
  ["\\\\.\\pipe\\a", true],
  ["\\\\.\\PIPE\\a", true],
  ["/tmp/pipe/a", false],
  ["\\\\server\\pipe\\a", false],
])("[G3] takes %s for a pipe: %s", (socket, isPipe) => {
  expect(isWindowsPipe(socket)).toBe(isPipe);
});
