import { fileURLToPath } from "node:url";
import { isAlive } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { startHttpServer } from "./http-server.ts";
import { fixture, openSession, type Session } from "./session.ts";

const script = fileURLToPath(new URL("servers/hears.mjs", import.meta.url));
const LONG = { timeout: 10_000 };
const hears = { command: process.execPath, args: [script] };
const ask = (session: Session, tool: string) => session.ask({ server: "hears", tool });

describe("a cancelled call", () => {
  it("[A24] is told to a stdio server by its id, and to nobody else", async () => {
    await using session = await openSession({ hears });
    const pid = (await ask(session, "pid")).text;
    const [leaving, staying] = [new AbortController(), new AbortController()];
    const wait = (label: string) => ({ server: "hears", tool: "wait", args: { label } });
    const cancelled = session.ask(wait("leaving"), leaving.signal);
    const sibling = session.ask(wait("staying"), staying.signal);
    const heard = async () => JSON.parse((await ask(session, "heard")).text);
    await expect.poll(async () => Object.keys((await heard()).waiting), LONG).toHaveLength(2);
    leaving.abort();
    expect((await cancelled).text).toMatch(/CANCELLED.*The outcome is unknown/s);
    const { waiting, cancelled: told } = await heard();
    expect(told).toEqual([waiting.leaving]);
    staying.abort();
    expect((await sibling).text).toMatch(/CANCELLED/);
    expect((await heard()).cancelled).toEqual([waiting.leaving, waiting.staying]);
    expect((await ask(session, "pid")).text).toBe(pid);
  });

  it("[A24] that has not been sent yet never is", async () => {
    await using session = await openSession({ hears });
    const early = await session.ask({ server: "hears", tool: "pid" }, AbortSignal.abort());
    expect(early.text).toMatch(/CANCELLED/);
    expect((await session.ask({})).text).toMatch(/hears: disconnected/);
  });
});

/** What /reload, the replacement of a session, and /exit do: each of them disposes of the old session's adapter. */
describe("the end of a session", () => {
  it("[A24] cancels all that runs in it, and leaves another session on the same servers unharmed", async () => {
    await using web = await startHttpServer();
    const servers = {
      hears,
      web: { url: web.url },
      mute: fixture("mute"),
    };
    const old = await openSession(servers);
    await using next = await openSession(servers);
    const pids = await Promise.all(
      [old, next].map(async (one) => Number((await ask(one, "pid")).text)),
    );
    const kept = ask(next, "wait");
    const running = [
      ask(old, "wait"),
      old.ask({ server: "web", tool: "wait" }),
      old.ask({ server: "mute" }),
      old.ask({ server: "mute", operation: "reconnect" }),
    ];
    await web.waitFor("tools/call", 1);
    await Promise.all([ask(old, "pid"), ask(next, "pid")]);

    await old[Symbol.asyncDispose]();
    const texts = (await Promise.all(running)).map(({ text }) => text);
    expect(texts).toEqual(texts.map(() => expect.stringMatching(/\((CLOSED|CANCELLED)\)/)));
    expect(pids.map(isAlive)).toEqual([false, true]);
    expect(web.requests.at(-1)?.method).toBe("DELETE");
    expect((await ask(old, "pid")).text).toMatch(/CLOSED/);

    expect((await ask(next, "pid")).text).toBe(String(pids[1]));
    const unsettled = Symbol("unsettled");
    expect(await Promise.race([kept, Promise.resolve(unsettled)])).toBe(unsettled);
  });

  it("[A24] cancels a reconnect that waits between two attempts, and one that was never begun", async () => {
    const reconnect = { maxAttempts: 3, baseDelayMs: 500 };
    const session = await openSession({ broken: fixture("exits-at-start", { reconnect }) });
    const waiting = session.ask({ server: "broken", operation: "reconnect" });
    await expect
      .poll(async () => (await session.ask({})).text, LONG)
      .toMatch(/broken: reconnecting/);
    await session[Symbol.asyncDispose]();
    expect((await waiting).text).toMatch(/\((CLOSED|CANCELLED)\)/);
    expect((await session.ask({ server: "broken", operation: "reconnect" })).text).toMatch(
      /CLOSED/,
    );
    expect((await session.ask({})).text).toMatch(/broken: closing/);
  });
});
