import { getDefaultEnvironment } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it } from "vitest";
import { baseEnvironment } from "./environment.ts";

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
