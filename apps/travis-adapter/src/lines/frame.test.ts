import { describe, expect, it } from "vitest";
import { readFrame } from "./frame.ts";

const read = (frame: unknown) => readFrame(Buffer.from(JSON.stringify(frame)));

describe("readFrame", () => {
  it("[A4] reads execute, cancel and shutdown, and passes over what it does not know", () => {
    const env = { PATH: "/bin" };
    expect(read({ id: 1, method: "execute", params: { request: {}, env, later: 1 } })).toEqual({
      method: "execute",
      id: 1,
      request: {},
      env,
    });
    expect(read({ method: "cancel", params: { id: "a" } })).toEqual({ method: "cancel", id: "a" });
    expect(read({ id: "z", method: "shutdown", later: 1 })).toEqual({
      method: "shutdown",
      id: "z",
    });
  });

  it("[A4] leaves it to the adapter to refuse a request", () => {
    for (const request of [null, 5, "x", [], undefined])
      expect(read({ id: 1, method: "execute", params: { request, env: {} } })).toMatchObject({
        method: "execute",
      });
  });

  it.each<[string, unknown, unknown]>([
    ["no object", [], null],
    ["no id", { method: "shutdown" }, null],
    ["an id of another type", { id: {}, method: "shutdown" }, null],
    ["no method", { id: 7 }, 7],
    ["an unknown method", { id: 7, method: "ready" }, 7],
    ["params that are no object", { id: 7, method: "execute", params: [] }, 7],
    ["no environment", { id: 7, method: "execute", params: { request: {} } }, 7],
    ["no text in the environment", { id: 7, method: "execute", params: { env: { A: 1 } } }, 7],
    ["nothing to cancel", { id: 7, method: "cancel", params: {} }, 7],
  ])("[A4] refuses %s, with the id where there is one", (_what, frame, id) => {
    expect(read(frame)).toMatchObject({ method: undefined, id, code: "FRAME_INVALID" });
  });

  it("[A4] refuses what is not JSON", () => {
    for (const line of ["{", "x", '{"id":1}{"id":2}', "\xff"])
      expect(readFrame(Buffer.from(line, "latin1"))).toMatchObject({ id: null });
  });
});
