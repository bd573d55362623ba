import { describe, expect, it } from "vitest";
import type { ServerDefinition } from "../config/schema.ts";
import { AdapterError } from "../errors.ts";
import type { Client } from "./client.ts";
import { createConnection } from "./connection.ts";

type Lose = (failure: AdapterError) => void;

interface FakeClient extends Client {
  readonly lose: Lose;
  readonly isClosed: boolean;
}

const failure = (code: AdapterError["code"] = "CONNECT_FAILED") => new AdapterError(code, "Failed");

/** A connection over connects that a script decides: each entry is "ok", "hang" or a failure. */
function script(
  steps: ("ok" | "hang" | AdapterError)[],
  reconnect = { automatic: false, maxAttempts: 1, baseDelayMs: 100 },
) {
  const clients: FakeClient[] = [];
  let connects = 0;
  const definition: ServerDefinition = {
    name: "s",
    kind: "http",
    url: "http://x",
    headers: {},
    reconnect,
  };
  const connection = createConnection({
    definition,
    now: () => 1000 + connects,
    random: () => 0,
    connect: async (_definition, signal, onLost) => {
      const step = steps[connects++] ?? "ok";
      if (step instanceof AdapterError) throw step;
      if (step === "hang")
        await new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(failure("CANCELLED"))),
        );
      const client = fakeClient(onLost);
      clients.push(client);
      return client;
    },
  });
  return { connection, clients, connects: () => connects };
}

function fakeClient(onLost: (client: Client, failure: AdapterError) => void): FakeClient {
  let lost: AdapterError | undefined;
  let isClosed = false;
  const client: FakeClient = {
    request: async () => ({}),
    offers: () => true,
    mirrors: false,
    revision: () => 0,
    closed: Promise.resolve(),
    get lost() {
      return lost;
    },
    get isClosed() {
      return isClosed;
    },
    close: async () => {
      isClosed = true;
    },
    lose(failure) {
      lost = failure;
      onLost(client, failure);
    },
  };
  return client;
}

const state = ({ connection }: ReturnType<typeof script>) => connection.snapshot().state;

describe("createConnection", () => {
  it("[A21] starts nothing before it is reached, and shares one attempt", async () => {
    const world = script(["ok"]);
    expect([state(world), world.connects()]).toEqual(["disconnected", 0]);
    const both = [world.connection.reach(), world.connection.reach()];
    expect(state(world)).toBe("connecting");
    expect(new Set(await Promise.all(both)).size).toBe(1);
    expect([state(world), world.connects()]).toEqual(["connected", 1]);
    await world.connection.reach();
    expect(world.connects()).toBe(1);
  });

  it("[A21] remembers a failure, tells all who waited, and tries again on the next use", async () => {
    const world = script([failure("START_FAILED"), "ok"]);
    const both = await Promise.allSettled([world.connection.reach(), world.connection.reach()]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(world.connection.snapshot()).toMatchObject({
      state: "failed",
      lastError: { code: "START_FAILED" },
    });
    await world.connection.reach();
    expect(world.connection.snapshot()).toMatchObject({
      state: "connected",
      lastError: { code: "START_FAILED" },
    });
  });

  it("[A21] notices the death of an idle client, and connects anew on the next use", async () => {
    const world = script(["ok", "ok"]);
    await world.connection.reach();
    world.clients[0]?.lose(failure("CONNECTION_LOST"));
    expect(state(world)).toBe("failed");
    expect(await world.connection.reach()).toBe(world.clients[1]);
  });

  it("[A24] a caller that cancels leaves at once, and the others get their client", async () => {
    const world = script(["ok"]);
    const controller = new AbortController();
    const leaving = world.connection.reach(controller.signal);
    const staying = world.connection.reach();
    controller.abort();
    await expect(leaving).rejects.toMatchObject({ code: "CANCELLED" });
    expect(await staying).toBe(world.clients[0]);
  });

  it("ends a connect that nobody waits for any more, and the next use starts its own", async () => {
    const world = script(["hang", "ok"]);
    const controller = new AbortController();
    const leaving = world.connection.reach(controller.signal);
    await Promise.resolve();
    controller.abort();
    await expect(leaving).rejects.toMatchObject({ code: "CANCELLED" });
    expect(state(world)).toBe("disconnected");
    expect(await world.connection.reach()).toBe(world.clients[0]);
  });

  it("[A26] reconnect replaces a live client, and works when there is none", async () => {
    const world = script(["ok", "ok"]);
    await world.connection.reconnect();
    expect(world.connects()).toBe(1);
    await world.connection.reconnect();
    expect(world.clients.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  it("[A26] concurrent reconnects share one connect", async () => {
    const world = script(["ok", "ok"]);
    await world.connection.reach();
    await Promise.all([world.connection.reconnect(), world.connection.reconnect()]);
    expect(world.connects()).toBe(2);
  });

  it("[A26] a reconnect takes the place of a connect that hangs, also for those who wait", async () => {
    const world = script(["hang", "ok"]);
    const waiting = world.connection.reach();
    await Promise.resolve();
    await world.connection.reconnect();
    expect(await waiting).toBe(world.clients[0]);
  });

  it("[A26] tries up to maxAttempts, and reports the last failure", async () => {
    const policy = { automatic: false, maxAttempts: 3, baseDelayMs: 2 };
    const fine = script([failure(), failure(), "ok"], policy);
    await fine.connection.reconnect();
    expect(fine.connects()).toBe(3);
    const bad = script([failure(), failure(), failure("CONNECT_TIMEOUT"), "ok"], policy);
    await expect(bad.connection.reconnect()).rejects.toMatchObject({ code: "CONNECT_TIMEOUT" });
    expect([bad.connects(), state(bad)]).toEqual([3, "failed"]);
  });

  it("[A26] recovers by itself only when configured", async () => {
    const automatic = script(["ok", "ok"], { automatic: true, maxAttempts: 1, baseDelayMs: 100 });
    await automatic.connection.reach();
    automatic.clients[0]?.lose(failure("CONNECTION_LOST"));
    expect(state(automatic)).toBe("reconnecting");
    expect(await automatic.connection.reach()).toBe(automatic.clients[1]);
    expect(automatic.connects()).toBe(2);
  });

  it("[A26] cancel ends the pause between two connects", async () => {
    const policy = { automatic: false, maxAttempts: 2, baseDelayMs: 1_000_000 };
    const world = script([failure(), "ok"], policy);
    const controller = new AbortController();
    const waiting = world.connection.reconnect(controller.signal);
    setImmediate(() => controller.abort());
    await expect(waiting).rejects.toMatchObject({ code: "CANCELLED" });
    expect([world.connects(), state(world)]).toEqual([1, "disconnected"]);
  });

  it("close ends everything for good", async () => {
    const world = script(["ok", "hang"]);
    await world.connection.reach();
    await world.connection.close();
    expect([state(world), world.clients[0]?.isClosed]).toEqual(["closing", true]);
    await expect(world.connection.reach()).rejects.toMatchObject({ code: "CLOSED" });
    await expect(world.connection.reconnect()).rejects.toMatchObject({ code: "CLOSED" });
    const connecting = script(["hang"]);
    const waiting = connecting.connection.reach();
    await connecting.connection.close();
    await expect(waiting).rejects.toMatchObject({ code: "CLOSED" });
  });
});
