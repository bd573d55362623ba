import { MessageChannel } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import { answerSearches, createSearchThread, type Search } from "./thread.ts";

const entry = new URL("../../test/thread-worker.mjs", import.meta.url);
const never = new AbortController().signal;

describe("createSearchThread", () => {
  it("answers each question with its own answer, with the data that it was started with", async () => {
    await using thread = createSearchThread(entry, "data");
    const texts = ["a", "b", "c"].map((text) => thread.search({ act: "echo", text }, never));
    expect(await Promise.all(texts)).toEqual(["data a", "data b", "data c"]);
  });

  it("[S3] passes on refusals with their code and sentence, and faults with their stack", async () => {
    await using thread = createSearchThread(entry, "");
    await expect(thread.search({ act: "refuse" }, never)).rejects.toEqual(
      new AiosError("ARGUMENT_RANGE", { field: "limit", rule: "small" }),
    );
    await expect(thread.search({ act: "fault" }, never)).rejects.toThrow("at somewhere");
  });

  it("[S19] tells the thread of a cancellation and goes on with what waits behind it", async () => {
    await using thread = createSearchThread(entry, "data");
    const controller = new AbortController();
    const cancelled = thread.search({ act: "wait" }, controller.signal);
    const next = thread.search({ act: "echo", text: "next" }, never);
    controller.abort(new Error("not wanted"));
    await expect(cancelled).rejects.toThrow("not wanted");
    expect(await next).toBe("data next");
    await expect(thread.search({ act: "echo" }, controller.signal)).rejects.toThrow("not wanted");
  });

  it("fails what waits when its thread dies, and starts anew", async () => {
    await using thread = createSearchThread(entry, "data");
    const failed = [thread.search({ act: "die" }, never), thread.search({ act: "echo" }, never)];
    for (const one of await Promise.allSettled(failed)) expect(one.status).toBe("rejected");
    expect(await thread.search({ act: "echo", text: "again" }, never)).toBe("data again");
  });

  it("lets so many searches wait and refuses the next", async () => {
    await using thread = createSearchThread(entry, "data");
    const controllers = Array.from(
      { length: limits.maxWaitingSearches + 1 },
      () => new AbortController(),
    );
    const waiting = controllers.map(({ signal }) => thread.search({ act: "wait" }, signal));
    await expect(thread.search({ act: "echo" }, never)).rejects.toMatchObject({
      code: "SEARCHES_WAITING",
    });
    for (const controller of controllers) controller.abort(new Error("enough"));
    await Promise.allSettled(waiting);
    expect(await thread.search({ act: "echo", text: "on" }, never)).toBe("data on");
  });

  it("fails what waits when it is disposed of", async () => {
    const thread = createSearchThread(entry, "");
    const waiting = thread.search({ act: "wait" }, never);
    const failed = expect(waiting).rejects.toThrow("ended");
    await thread[Symbol.asyncDispose]();
    await failed;
  });
});

describe("answerSearches", () => {
  const ask = async (search: Search, isCancelled = false) => {
    const { port1, port2 } = new MessageChannel();
    try {
      answerSearches(port2, search);
      const answer = new Promise((resolve) => port1.once("message", resolve));
      const cancelled = new Int32Array(new SharedArrayBuffer(4));
      if (isCancelled) cancelled[0] = 1;
      port1.postMessage({ id: 1, given: { query: "x" }, cancelled });
      port1.postMessage({ id: 2, given: {}, cancelled: new Int32Array(new SharedArrayBuffer(4)) });
      return await answer;
    } finally {
      port1.close();
    }
  };

  it("answers with the text, or with what was thrown", async () => {
    expect(await ask(({ query }) => `found ${query}`)).toEqual({ id: 1, text: "found x" });
    const refuse = () => {
      throw new AiosError("SOURCE_LINKED", { source: "a note" });
    };
    expect(await ask(refuse)).toEqual({
      id: 1,
      code: "SOURCE_LINKED",
      fields: { source: "a note" },
    });
    const fail = () => {
      throw new TypeError("a bug");
    };
    expect(await ask(fail)).toEqual({ id: 1, fault: expect.stringContaining("a bug") });
  });

  it("[S19] stops at the next checkpoint of a cancelled search and says nothing of it", async () => {
    const search: Search = (_, checkpoint) => {
      checkpoint();
      return "done";
    };
    expect(await ask(search, true)).toEqual({ id: 2, text: "done" });
  });
});
