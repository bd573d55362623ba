import { LimitError } from "@core/bounds";
import { readEnvelope } from "@core/wire";
import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { createResourcePolicy } from "../policy/resource.ts";
import type { Of } from "../upstream/answer.ts";
import type { ClientSession } from "../upstream/client-session.ts";
import { makeUpdate } from "../upstream/resource-update.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { createSubscribers, type Subscriber, type SubscriptionRules } from "./subscribers.ts";

const session = (label: string) => ({ label }) as ClientSession;

function listener(of: ClientSession, subscriptionId?: string) {
  const heard: string[] = [];
  const subscriber: Subscriber = {
    session: of,
    ...(subscriptionId && { subscriptionId }),
    send: (json) => heard.push(json.toString()),
  };
  const uris = () => heard.map((json) => JSON.parse(json).params.uri);
  return { subscriber, heard, uris };
}

/** One server `s` that agrees to everything but what `refuses` names, with these rules for resources. */
function subscribing({
  allow = ["note:*"],
  maxOfSession = 10,
  maxInAll = 20,
  refuses = (_: string): boolean => false,
} = {}) {
  const held: string[] = [];
  const serverCalled = (name: string): Pick<Upstream, "subscribe"> => ({
    subscribe({ uri }) {
      if (refuses(uri)) return { opened: Promise.reject(new Error("no")), release() {} };
      held.push(`${name} ${uri}`);
      return {
        opened: Promise.resolve(),
        release: () => held.splice(held.indexOf(`${name} ${uri}`), 1),
      };
    },
  });
  const rulesOf = (resources: readonly string[], name = "s"): SubscriptionRules => ({
    permit: createResourcePolicy([
      {
        name: "s",
        namePrefix: undefined,
        allow: resources.map((resource) => ({ resource })),
        deny: [],
      },
    ] as unknown as Parameters<typeof createResourcePolicy>[0]).permit,
    upstreams: new Map([["s", serverCalled(name)]]),
    timeoutOf: () => 1000,
    scrub: { message: (bytes) => Buffer.from(bytes.toString().replaceAll("hush", "[redacted]")) },
  });
  let rules = rulesOf(allow);
  const subscribers = createSubscribers({ rules: () => rules, maxOfSession, maxInAll });
  return {
    subscribers,
    held,
    add({ subscriber }: { subscriber: Subscriber }, uri: string) {
      const permitted = rules.permit(uri);
      if (permitted === undefined) throw new Error(`${uri} is hidden`);
      return subscribers.add(subscriber, permitted).opened;
    },
    tell: (uri: string, server = "s", owner?: ClientSession) =>
      subscribers.tell(makeUpdate(uri), server, owner),
    reload(resources: readonly string[], name?: string) {
      const { upstreams } = rules;
      rules = rulesOf(resources, name);
      if (name === undefined) rules = { ...rules, upstreams };
      subscribers.judge();
    },
  };
}

describe("createSubscribers", () => {
  it("[G16] tells those who have subscribed to a resource, and nobody else", async () => {
    const { add, tell, subscribers } = subscribing();
    const [a, b] = [listener(session("a")), listener(session("b"))];
    await Promise.all([add(a, "note:1"), add(b, "note:2"), add(a, "note:2")]);
    for (const uri of ["note:1", "note:2", "note:3", "other:1"]) tell(uri);
    expect([a.uris(), b.uris()]).toEqual([["note:1", "note:2"], ["note:2"]]);
    subscribers.remove(a.subscriber, "note:2");
    tell("note:2");
    expect([a.uris().length, b.uris().length]).toEqual([2, 2]);
  });

  it("[G16] tells once of a part of what was subscribed to, and not of what only begins alike", async () => {
    const { add, tell } = subscribing({ allow: ["file:///*"] });
    const a = listener(session("a"));
    await Promise.all([add(a, "file:///desk"), add(a, "file:///desk/x")]);
    for (const uri of ["file:///desk/x", "file:///desk?q", "file:///desktop", "file:///"])
      tell(uri);
    expect(a.uris()).toEqual(["file:///desk/x", "file:///desk?q"]);
  });

  it("[G16] passes nothing on of another server's resource, of a hidden one, or of another session's process", async () => {
    const { add, tell } = subscribing({ allow: ["note:1", "note:2"] });
    const [one, other] = [session("a"), session("b")];
    const a = listener(one);
    await add(a, "note:1");
    tell("note:1", "another");
    tell("note:1/hidden");
    tell("note:1", "s", other);
    expect(a.heard).toEqual([]);
    tell("note:1", "s", one);
    expect(a.uris()).toEqual(["note:1"]);
  });

  it("[G16] [G18] scrubs, and names the client's own stream and never the gateway's", async () => {
    const { add, subscribers } = subscribing();
    const [legacy, modern] = [listener(session("a")), listener(session("b"), '"mine"')];
    await Promise.all([add(legacy, "note:1"), add(modern, "note:1")]);
    const key = "io.modelcontextprotocol/subscriptionId";
    const bytes = Buffer.from(
      `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"note:1","x":1e3,"_meta":{"${key}":"resource 1","say":"hush"}}}`,
    );
    const message = readEnvelope(bytes) as Of<"notification">;
    subscribers.tell({ uri: "note:1", bytes, message }, "s", undefined);
    const metas = [legacy, modern].map(({ heard }) => JSON.parse(heard[0] ?? "").params._meta);
    expect(metas).toEqual([{ say: "[redacted]" }, { [key]: "mine", say: "[redacted]" }]);
    expect(legacy.heard[0]).toContain('"x":1e3');
  });

  it("[G16] bounds the subscriptions of a session over all its streams, and those of all", async () => {
    for (const [count, isFull] of [3, 4, 5].map((n) => [n, n > 4] as const)) {
      const { add, subscribers } = subscribing({ maxOfSession: 4 });
      const one = session("a");
      const streams = [listener(one, "1"), listener(one, "2")];
      const added = Array.from({ length: count }, (_, n) =>
        add(streams[n % 2] as (typeof streams)[0], `note:${n}`),
      );
      const outcomes = await Promise.allSettled(added);
      expect(outcomes.some(({ status }) => status === "rejected")).toBe(isFull);
      expect(subscribers.size).toBe(Math.min(count, 4));
    }
    for (const count of edges(6)) {
      const { add, subscribers } = subscribing({ maxInAll: 6 });
      const added = Array.from({ length: count }, (_, n) =>
        add(listener(session(`${n}`)), "note:1").catch((error: unknown) => error),
      );
      const errors = (await Promise.all(added)).filter((error) => error !== undefined);
      expect(errors).toEqual(count > 6 ? [new LimitError("subscriptions", 6, 7)] : []);
      expect(subscribers.size).toBe(Math.min(count, 6));
    }
  });

  it("[G16] gives room again for what ended, was refused, or was there before", async () => {
    const { add, subscribers, held } = subscribing({
      maxOfSession: 1,
      refuses: (uri) => uri === "note:no",
    });
    const a = listener(session("a"));
    await expect(add(a, "note:no")).rejects.toThrow("no");
    await add(a, "note:1");
    await add(a, "note:1");
    await expect(add(a, "note:2")).rejects.toThrow(LimitError);
    subscribers.removeAll(a.subscriber);
    expect([subscribers.size, held]).toEqual([0, []]);
    await add(a, "note:2");
    subscribers.remove(a.subscriber, "note:1");
    expect(held).toEqual(["s note:2"]);
  });

  it("[G16] after a reload tells nothing that is hidden now, and takes the rest to a server that was replaced", async () => {
    const { add, tell, reload, held, subscribers } = subscribing();
    const a = listener(session("a"));
    await Promise.all([add(a, "note:1"), add(a, "note:2")]);
    reload(["note:1"]);
    expect([held, subscribers.size]).toEqual([["s note:1"], 1]);
    tell("note:2");
    expect(a.heard).toEqual([]);
    reload(["note:1"], "anew");
    expect(held).toEqual(["anew note:1"]);
    tell("note:1");
    expect(a.uris()).toEqual(["note:1"]);
  });
});
