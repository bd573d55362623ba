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

  it("takes the folders of Windows there, and nowhere else", () => {
    const environment = { APPDATA: "C:\\R", LOCALAPPDATA: "C:\\L", XDG_CONFIG_HOME: "config" };
    expect(findPlaces(environment, "C:\\me", "win32")).toEqual({
      home: "C:\\me",
      configFile: "C:\\R\\wraptool\\config.yaml",
      tokenFile: "C:\\R\\wraptool\\token",
      stateFolder: "C:\\L\\wraptool",
      platform: "win32",
    });
    const configFile = (named: object, platform: NodeJS.Platform) =>
      findPlaces({ ...environment, ...named }, "C:\\me", platform).configFile;
    expect(configFile({ XDG_CONFIG_HOME: "D:\\x" }, "win32")).toBe("D:\\x\\wraptool\\config.yaml");
    expect(configFile({ APPDATA: undefined }, "win32")).toBe(
      "C:\\me\\.config\\wraptool\\config.yaml",
    );
    expect(findPlaces({ APPDATA: "/r", LOCALAPPDATA: "/l" }, "/me", "darwin")).toMatchObject({
      configFile: "/me/.config/wraptool/config.yaml",
      stateFolder: "/me/.local/state/wraptool",
    });
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
    const places = { home: "/home/me", platform: "linux" } as const;
    expect(resolvePath(path, "/config", places)).toBe(absolute);
  });

  it.each([
    ["~", "C:\\Users\\me"],
    ["~/a/b", "C:\\Users\\me\\a\\b"],
    ["~\\a", "C:\\Users\\me\\a"],
    ["d:/a", "d:\\a"],
    ["..\\a", "C:\\a"],
    ["\\\\.\\pipe\\a", "\\\\.\\pipe\\a"],
  ])("reads %s on Windows as %s", (path, absolute) => {
    const places = { home: "C:\\Users\\me", platform: "win32" } as const;
    expect(resolvePath(path, "C:\\config", places)).toBe(absolute);
  });
});
