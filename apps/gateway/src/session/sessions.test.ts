import { edges } from "test-fixtures";
import { afterEach, describe, expect, it } from "vitest";
import type { AllowedCwd } from "../auth/cwd.ts";
import { createSessions, type Sessions } from "./sessions.ts";

const ALICE = { credential: "alice" };
const BOB = { credential: "bob" };
const opening = { caller: ALICE, cwd: undefined };
const folder = (path: string) => ({ path, isStillAllowed: async () => true }) as AllowedCwd;
const opened: Sessions[] = [];
afterEach(() => {
  for (const sessions of opened.splice(0)) sessions[Symbol.dispose]();
});

function sessionsOf(maxSessions: number) {
  let time = 0;
  let id = 0;
  const newId = () => `id-${++id}`;
  const sessions = createSessions({
    maxSessions,
    idleTimeoutMs: 1000,
    now: () => time,
    newId,
    tickets: { issue: newId, isEarlier: (asked) => asked.startsWith("earlier") },
  });
  opened.push(sessions);
  const open = (at: number) => {
    time = at;
    const session = sessions.open("streamable", opening);
    if (session === undefined) throw new Error("no room");
    return session;
  };
  const isThere = (session: { id: string }) =>
    [...sessions.all()].some((other) => other.id === session.id);
  const sweep = (at: number) => {
    time = at;
    sessions.sweep();
  };
  return { sessions, open, isThere, sweep };
}

describe("createSessions", () => {
  it("[G9] finds a session for the credential that opened it, and for no other", () => {
    const { sessions, open } = sessionsOf(2);
    const session = open(0);
    expect(sessions.find(session.id, "streamable", ALICE)).toBe(session);
    expect(sessions.find(session.id, "streamable", BOB)).toBeUndefined();
    expect(sessions.find("id-9", "streamable", ALICE)).toBeUndefined();
    sessions.end(session);
    expect(sessions.find(session.id, "streamable", ALICE)).toBeUndefined();
  });

  it("[G9] ends a session that was idle for longer than the timeout", () => {
    const [under, on, over] = edges(1000);
    const { open, isThere, sweep } = sessionsOf(2);
    const session = open(0);
    for (const at of [under, on]) {
      sweep(at);
      expect(isThere(session)).toBe(true);
    }
    sweep(over);
    expect(isThere(session)).toBe(false);
  });

  it("[G9] keeps a session that has a call in flight or an open stream, and ends what it holds with it", () => {
    const { sessions, open, isThere, sweep } = sessionsOf(3);
    const calling = open(0);
    const listening = open(0);
    let cancelled = 0;
    let ended = 0;
    calling.inFlight.add("n1", () => cancelled++);
    listening.announcements = { send() {}, end: () => ended++ };
    sweep(5000);
    expect(isThere(calling) && isThere(listening)).toBe(true);
    sessions.end(calling);
    sessions.end(listening);
    expect([cancelled, ended, sessions.size]).toEqual([1, 1, 0]);
  });

  it("[G9] puts a new session in the place of the longest idle one, and refuses if none is idle", () => {
    const { sessions, open, isThere } = sessionsOf(2);
    const first = open(0);
    const second = open(1);
    first.inFlight.add("n1", () => {});
    const third = open(2);
    expect([first, second, third].map(isThere)).toEqual([true, false, true]);
    third.inFlight.add("n1", () => {});
    expect(sessions.open("streamable", opening)).toBeUndefined();
    expect(sessions.size).toBe(2);
  });

  it("[G9] has one modern session for a credential and a real folder, and no id leads to it", () => {
    const { sessions, isThere, sweep } = sessionsOf(5);
    const join = (caller: typeof ALICE, cwd?: AllowedCwd) => sessions.join({ caller, cwd });
    const session = join(ALICE);
    expect(join(ALICE)).toBe(session);
    expect(join(ALICE, folder("/a"))).toBe(join(ALICE, folder("/a")));
    const others = [join(BOB), join(ALICE, folder("/a")), join(ALICE, folder("/b"))];
    expect(new Set([session, ...others]).size).toBe(4);
    expect(sessions.find(session?.id ?? "", "streamable", ALICE)).toBeUndefined();
    sweep(1001);
    expect(session && isThere(session)).toBe(false);
    expect(join(ALICE)).not.toBe(session);
  });

  it("[G9] takes a session of an earlier start up again, until it has ended here", () => {
    const { sessions } = sessionsOf(2);
    expect(sessions.resume("forged", opening)).toBeUndefined();
    const session = sessions.resume("earlier", opening);
    expect(session).toBeDefined();
    expect(sessions.find("earlier", "streamable", ALICE)).toBe(session);
    expect(sessions.resume("earlier", opening)).toBeUndefined();
    if (session !== undefined) sessions.end(session);
    expect(sessions.resume("earlier", opening)).toBeUndefined();
    expect(sessions.size).toBe(0);
  });

  it("[G9] releases what hangs on a session once, whatever ends it", () => {
    const { sessions, open, sweep } = sessionsOf(2);
    const released: string[] = [];
    const ended = open(0);
    ended.onEnd(() => released.push("ended"));
    sessions.end(ended);
    sessions.end(ended);
    open(0).onEnd(() => released.push("expired"));
    sweep(1001);
    open(2000).onEnd(() => released.push("evicted"));
    open(2001);
    open(2002);
    expect(released).toEqual(["ended", "expired", "evicted"]);
    ended.onEnd(() => released.push("late"));
    expect(released.at(-1)).toBe("late");
  });
});
