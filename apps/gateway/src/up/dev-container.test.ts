import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTempFolder, type TempFolder } from "test-fixtures";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readDevContainer } from "./dev-container.ts";

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

function write(content: object | string, name = ".devcontainer.json"): string {
  const file = join(folder.path, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const read = () => readDevContainer(folder.path);
const IMAGE = { image: "node:22" };

describe("readDevContainer", () => {
  it("[G23] takes what run can take, from JSON with comments", () => {
    const file = write(`{
      // comment
      "image": "node:22", "name": "agent",
      "containerEnv": {"A": "", "B": "\${localEnv:B}"},
      "containerUser": "root", "remoteUser": "node",
      "runArgs": ["--cap-drop=ALL"], "mounts": ["type=volume,source=c,target=/c",],
      "workspaceFolder": "/w", "customizations": {"vscode": {}}, "forwardPorts": [1],
    }`);
    expect(read()).toEqual({
      ...{ file, image: "node:22", containerEnv: { A: "", B: "${localEnv:B}" } },
      ...{ containerUser: "root", remoteUser: "node", runArgs: ["--cap-drop=ALL"] },
      ...{ mounts: ["type=volume,source=c,target=/c"], workspaceFolder: "/w", leftOut: [] },
    });
  });

  it("[G23] prefers the file in .devcontainer, and says where it looked", () => {
    expect(read).toThrow(
      `${folder.path} holds no ${join(".devcontainer", "devcontainer.json")} and no .devcontainer.json`,
    );
    const other = write(IMAGE);
    expect(read().file).toBe(other);
    const first = write(IMAGE, join(".devcontainer", "devcontainer.json"));
    expect(read().file).toBe(first);
  });

  it.each([
    ["build", { build: { dockerfile: "Dockerfile" }, ...IMAGE }],
    ["dockerFile", { dockerFile: "Dockerfile" }],
    ["dockerComposeFile", { dockerComposeFile: "compose.yaml", service: "app" }],
  ])("[G23] refuses %s, and says how an image comes of it", (field, content) => {
    const file = write(content);
    expect(read).toThrow(
      expect.objectContaining({
        code: "NOT_BUILT",
        message: `${file} ${field}: up runs an image that exists, and builds none`,
        hint: `Build one: devcontainer build --workspace-folder ${folder.path} --image-name NAME, then run it: wraptool up --image NAME`,
      }),
    );
  });

  it("[G23] notes what it leaves out, where that asks for something", () => {
    write({ ...IMAGE, features: {}, privileged: false, capAdd: [], postCreateCommand: "" });
    expect(read().leftOut).toEqual([]);
    write({
      ...IMAGE,
      features: { a: {} },
      privileged: true,
      capAdd: ["X"],
      remoteEnv: { A: "1" },
    });
    expect(read().leftOut).toEqual(["features", "remoteEnv", "privileged", "capAdd"]);
  });

  it.each([
    [{}, "image: is missing; up needs the name of an image"],
    [{ image: 1 }, "image: must be a string"],
    [{ image: "" }, "image: must be the name of an image"],
    [{ image: "--privileged" }, "image: must be the name of an image"],
    [{ ...IMAGE, containerEnv: { A: 1 } }, "containerEnv.A: must be a string"],
    [{ ...IMAGE, containerEnv: [] }, "containerEnv: must be an object of variables"],
    [{ ...IMAGE, containerEnv: { "A=B": "" } }, "containerEnv: must name its variables by letters"],
    [{ ...IMAGE, remoteUser: "" }, "remoteUser: must not be empty"],
    [{ ...IMAGE, runArgs: "--rm" }, "runArgs: must be a list of strings such as --cap-drop=ALL"],
    [{ ...IMAGE, runArgs: ["a", "\0"] }, "runArgs[1]: must not hold a null character"],
    [{ ...IMAGE, mounts: [{ type: "volume", target: "/c" }] }, "mounts[0]: must be a string"],
    [{ ...IMAGE, workspaceFolder: null }, "workspaceFolder: must be a string"],
  ])("[G23] refuses %j with the field", (content, said) => {
    const file = write(content);
    expect(read).toThrow(`${file} ${said}`);
  });

  it.each([
    ['{"image": "a", "image": "b"}', "stands twice"],
    ["[]", "must have an object at its root"],
    ['{"image": }', ":1:11: is not JSON"],
    [`{"image": "${"a".repeat(1 << 20)}"}`, "is too large"],
    [`{"image": ${"[".repeat(100_000)}`, "is nested deeper"],
  ])("[G23] reads strictly and within bounds: %#", (text, said) => {
    write(text);
    expect(read).toThrow(said);
  });
});
