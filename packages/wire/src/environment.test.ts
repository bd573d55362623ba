import { getDefaultEnvironment } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it } from "vitest";
import { baseEnvironment, layerEnvironments } from "./environment.ts";

describe("baseEnvironment", () => {
  it.skipIf(process.platform === "win32")("[W8] is what the SDK inherits by default", () => {
    expect(baseEnvironment(process.env)).toEqual(getDefaultEnvironment());
  });

  it("[W8] leaves out secrets, loader options, absent values and exported shell functions", () => {
    const environment = {
      PATH: "/bin",
      HOME: undefined,
      SHELL: "() { evil; }",
      TERM: "x() {",
      GITHUB_TOKEN: "secret",
      NODE_OPTIONS: "--inspect",
      HTTPS_PROXY: "http://user:password@proxy",
      path: "/lower",
    };
    expect(baseEnvironment(environment, "linux")).toEqual({ PATH: "/bin", TERM: "x() {" });
  });

  it("[W8] knows Windows' names without case and gives them in capitals", () => {
    const environment = { Path: "C:\\bin", SystemRoot: "C:\\Windows", ProgramData: "D", HOME: "h" };
    expect(baseEnvironment(environment, "win32")).toEqual({
      PATH: "C:\\bin",
      SYSTEMROOT: "C:\\Windows",
      PROGRAMDATA: "D",
    });
  });
});

describe("layerEnvironments", () => {
  const layers = [
    { PATH: "ours", A: "1" },
    { Path: "theirs", a: "2" },
    { PATH: "last", B: "3" },
  ];

  it("[W8] has the last value of each name", () => {
    const all = { PATH: "last", Path: "theirs", A: "1", a: "2", B: "3" };
    expect(layerEnvironments(layers, "linux")).toEqual(all);
  });

  it("[W8] holds no name twice on Windows, where its case means nothing", () => {
    expect(layerEnvironments(layers, "win32")).toEqual({ PATH: "last", a: "2", B: "3" });
    expect(layerEnvironments(layers.slice(0, 2), "win32")).toEqual({ Path: "theirs", a: "2" });
  });
});
