import { describe, expect, it } from "vitest";
import { findPlaces, resolvePath } from "./place.ts";

describe("findPlaces", () => {
  it("honours an absolute XDG_CONFIG_HOME and ignores any other", () => {
    const configFile = (value: string | undefined) =>
      findPlaces({ XDG_CONFIG_HOME: value }, "/home/me").configFile;
    expect(configFile("/etc/me")).toBe("/etc/me/wraptool/config.yaml");
    for (const other of [undefined, "", "relative"])
      expect(configFile(other)).toBe("/home/me/.config/wraptool/config.yaml");
  });

  it("honours an absolute XDG_STATE_HOME likewise", () => {
    const stateFolder = (value: string | undefined) =>
      findPlaces({ XDG_STATE_HOME: value }, "/home/me").stateFolder;
    expect(stateFolder("/var/me")).toBe("/var/me/wraptool");
    expect(stateFolder("var")).toBe("/home/me/.local/state/wraptool");
  });
});

describe("resolvePath", () => {
  it.each([
    ["~", "/home/me"],
    ["~/a/b", "/home/me/a/b"],
    ["/a/b", "/a/b"],
    ["a/b", "/config/a/b"],
    ["../a", "/a"],
    ["~other/a", "/config/~other/a"],
  ])("reads %s as %s", (path, absolute) => {
    expect(resolvePath(path, "/config", "/home/me")).toBe(absolute);
  });
});
