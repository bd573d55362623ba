import { existsSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { createTempFolder } from "test-fixtures";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listenPipe } from "./pipe.ts";

let folder: ReturnType<typeof createTempFolder>;
beforeEach(() => {
  folder = createTempFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

const options = {
  maxConnections: 10,
  refusals: { add() {} },
  handle: (_request: unknown, response: { end(text: string): unknown }) =>
    void response.end("hello"),
};

/** Elsewhere than on Windows the same calls make a socket. */
const pathOf = (name = "pipe") =>
  process.platform === "win32"
    ? `\\\\.\\pipe\\${folder.path.replace(/\W/g, "-")}`
    : join(folder.path, name);

const ask = (socketPath: string) =>
  new Promise<string>((resolve, reject) => {
    const sent = request({ socketPath }, (response) => {
      response.setEncoding("utf8").on("data", resolve);
    });
    sent.on("error", reject).end();
  });

describe("listenPipe", () => {
  it("[G3] serves under the name of the pipe, and leaves nothing behind", async () => {
    const path = pathOf();
    const listener = await listenPipe(path, options);
    expect(listener.place).toBe(path);
    expect(await ask(path)).toBe("hello");
    await listener.close();
    expect(existsSync(path)).toBe(false);
  });

  it("[G3] says when another process has the pipe, and when there can be none", async () => {
    const path = pathOf();
    const listener = await listenPipe(path, options);
    await expect(listenPipe(path, options)).rejects.toMatchObject({ code: "ADDRESS_IN_USE" });
    await listener.close();
    await expect(listenPipe(join(folder.path, "none", "pipe"), options)).rejects.toMatchObject({
      code: "CANNOT_LISTEN",
    });
  });
});
