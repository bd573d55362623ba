import { describe, expect, it } from "vitest";
import { expandShown, expandVariables } from "./dev-variables.ts";

const environment = { HOME: "/home/me", SECRET: "hush-${localWorkspaceFolder}", EMPTY: "" };
const values = { local: "/home/me/app", container: "/home/me/app/web", environment };
const place = { file: "f", field: "image" };

describe("expandVariables", () => {
  it.each([
    ["plain $HOME $", "plain $HOME $", []],
    ["${localWorkspaceFolder}/a", "/home/me/app/a", []],
    ["x-${localWorkspaceFolderBasename}", "x-app", []],
    ["${containerWorkspaceFolder}:${containerWorkspaceFolderBasename}", "/home/me/app/web:web", []],
    ["${localEnv:HOME}${localEnv:USERPROFILE}/.x", "/home/me/.x", ["HOME", "USERPROFILE"]],
    ["${localEnv:NONE:a:b}", "a:b", ["NONE"]],
    ["${localEnv:EMPTY:other}", "", ["EMPTY"]],
    ["${localEnv:constructor}", "", ["constructor"]],
  ])("[G23] reads %s as %s", (text, expected, local) => {
    expect(expandVariables(text, values, place)).toEqual({ text: expected, local });
  });

  it("[G23] reads once: what a variable holds is text", () => {
    expect(expandVariables("${localEnv:SECRET}", values, place).text).toBe(environment.SECRET);
  });

  it.each([
    ...["${devcontainerId}", "${containerEnv:PATH}", "${HOME}", "${}", "${localEnv:}"],
    ...["${", "${localWorkspaceFolder", "${localEnv:${localWorkspaceFolder}}"],
  ])("[G23] refuses %s, and names those that it knows", (text) => {
    expect(() => expandVariables(text, values, place)).toThrow(
      "f image: may use no other variables than localWorkspaceFolder, localWorkspaceFolderBasename, containerWorkspaceFolder, containerWorkspaceFolderBasename, localEnv:NAME",
    );
  });

  it("[G23] knows no folder of the container while that is being found out", () => {
    const { local } = values;
    const expand = () =>
      expandVariables("${containerWorkspaceFolder}", { local, environment }, place);
    expect(expand).toThrow("localWorkspaceFolderBasename, localEnv:NAME");
  });
});

describe("expandShown", () => {
  it("[G23] lets nothing of the environment onto a command line but the user's own folder", () => {
    expect(expandShown("${localEnv:HOME}/a", values, place)).toBe("/home/me/a");
    const fault = () => expandShown("${localEnv:HOME}/${localEnv:SECRET}", values, place);
    expect(fault).toThrow(/^f image: takes the value of SECRET, .*only containerEnv may/);
    expect(fault).not.toThrow("hush");
  });
});
