import { describe, expect, it, vi } from "vitest";
import type { Connection } from "./connection.ts";
import { createHeldSubscriptions } from "./held-subscriptions.ts";

/** A server that notes what it is asked, with as many processes as are started. */
function serving({ refuses = () => false }: { refuses?: (uri: string) => boolean } = {}) {
  const asked: string[] = [];
  const missed: string[] = [];
  let running: Connection | undefined;
  let starts = 0;
  let end = () => {};
  const warned: string[] = [];

  async function connect(): Promise<Connection> {
    if (running !== undefined) return running;
    const number = ++starts;
    const ended = new Promise<string>((resolve) => {
      end = () => {
        running = undefined;
        resolve("ended");
      };
    });
    const connection: Connection = {
      era: "legacy",
      subscribes: true,
      updates: {
        async subscribe(uri) {
          asked.push(`${number}+${uri}`);
          if (refuses(uri)) throw new Error("refused");
        },
        async unsubscribe(uri) {
          asked.push(`${number}-${uri}`);
        },
      },
      request: () => ({ answer: new Promise(() => {}), cancel() {} }),
      ended,
    };
    running = connection;
    held.onUp(connection);
    return connection;
  }
  const held = createHeldSubscriptions({
    name: "s",
    log: { warn: (sentence) => warned.push(sentence) },
    supervisor: {
      connect,
      get running() {
        return running;
      },
    },
    onMissed: (uri) => missed.push(uri),
  });
  const hold = (uri: string) => held.hold(uri, 1000);
  return { asked, missed, warned, hold, end: () => end() };
}

describe("createHeldSubscriptions", () => {
  it("[G16] subscribes once to a resource for many, and the last one out unsubscribes", async () => {
    const { asked, hold } = serving();
    const parts = [hold("a"), hold("a"), hold("b")] as const;
    await Promise.all(parts.map(({ opened }) => opened));
    expect(asked).toEqual(["1+a", "1+b"]);
    parts[0].release();
    parts[0].release();
    parts[2].release();
    await vi.waitFor(() => expect(asked).toEqual(["1+a", "1+b", "1-b"]));
    parts[1].release();
    await vi.waitFor(() => expect(asked.at(-1)).toBe("1-a"));
  });

  it("[G16] keeps begin and end of one resource in order, however fast they come", async () => {
    const { asked, hold } = serving();
    const first = hold("a");
    first.release();
    const second = hold("a");
    await Promise.all([first.opened, second.opened]);
    expect(asked).toEqual(["1+a", "1-a", "1+a"]);
  });

  it("[G16] passes a refusal on, keeps nothing of it, and asks anew the next time", async () => {
    const { asked, hold } = serving({ refuses: (uri) => uri === "no" });
    const parts = [hold("no"), hold("no")];
    for (const { opened } of parts) await expect(opened).rejects.toThrow("refused");
    for (const { release } of parts) release();
    await expect(hold("no").opened).rejects.toThrow("refused");
    expect(asked).toEqual(["1+no", "1+no"]);
  });

  it("[G16] starts a server again that ended, subscribes again, and says what may have changed", async () => {
    const { asked, missed, hold, end } = serving();
    const [a, b] = [hold("a"), hold("b")];
    await Promise.all([a.opened, b.opened]);
    b.release();
    await vi.waitFor(() => expect(asked).toContain("1-b"));
    end();
    await vi.waitFor(() => expect(missed).toEqual(["a"]));
    expect(asked).toEqual(["1+a", "1+b", "1-b", "2+a"]);
    a.release();
    await vi.waitFor(() => expect(asked.at(-1)).toBe("2-a"));
  });

  it("leaves a server alone that ended and that nobody has subscribed to", async () => {
    const { asked, hold, end } = serving();
    const part = hold("a");
    await part.opened;
    part.release();
    await vi.waitFor(() => expect(asked).toEqual(["1+a", "1-a"]));
    end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual(["1+a", "1-a"]);
  });

  it("warns where a later process refuses, and asks the one after that", async () => {
    const refused = new Set<string>();
    const { asked, missed, warned, hold, end } = serving({ refuses: (uri) => refused.has(uri) });
    await hold("a").opened;
    refused.add("a");
    end();
    await vi.waitFor(() => expect(warned).toHaveLength(1));
    refused.clear();
    end();
    await hold("b").opened;
    await vi.waitFor(() => expect(missed).toEqual(["a"]));
    expect(asked.filter((one) => one.endsWith("+a"))).toEqual(["1+a", "2+a", "3+a"]);
  });
});
