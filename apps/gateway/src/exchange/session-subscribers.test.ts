import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import type { ClientSession } from "../upstream/client-session.ts";
import { createSessionSubscribers } from "./session-subscribers.ts";
import type { Subscriber } from "./subscribers.ts";

function sessionOf() {
  const got: string[] = [];
  const endings: (() => void)[] = [];
  let isOpen = false;
  const session: ClientSession = {
    label: "s",
    cwd: undefined,
    capabilities: new Set(),
    onEnd: (run) => void endings.push(run),
    send(json) {
      if (isOpen) got.push(json.toString());
      return isOpen;
    },
  };
  return {
    session,
    got,
    endings,
    open() {
      isOpen = true;
    },
  };
}

describe("createSessionSubscribers", () => {
  it("[G16] is one subscriber for a session, told of its end once", () => {
    const ended: Subscriber[] = [];
    const sessions = createSessionSubscribers((subscriber) => ended.push(subscriber));
    const { session, endings } = sessionOf();
    const subscriber = sessions.of(session);
    expect(sessions.of(session)).toBe(subscriber);
    for (const run of endings) run();
    expect(ended).toEqual([subscriber]);
  });

  it("[G16] keeps what a session without a stream misses, once for each resource, until it has one", () => {
    const sessions = createSessionSubscribers(() => {});
    const { session, got, open } = sessionOf();
    const subscriber = sessions.of(session);
    for (const uri of ["a", "b", "a", "c"]) subscriber.send(Buffer.from(uri), uri);
    sessions.forget(session, "c");
    sessions.announce(session);
    expect(got).toEqual([]);
    open();
    sessions.announce(session);
    sessions.announce(session);
    expect(got).toEqual(["a", "b"]);
    subscriber.send(Buffer.from("d"), "d");
    expect(got.at(-1)).toBe("d");
  });

  it.each(edges(128))(
    "[G16] keeps of %i missed changes no more than a session may subscribe to",
    (count) => {
      const sessions = createSessionSubscribers(() => {});
      const { session, got, open } = sessionOf();
      for (let n = 0; n < count; n++) sessions.of(session).send(Buffer.from(`${n}`), `${n}`);
      open();
      sessions.announce(session);
      expect(got).toHaveLength(Math.min(count, 128));
    },
  );
});
