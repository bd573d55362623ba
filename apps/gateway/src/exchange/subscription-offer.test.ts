import { describe, expect, it } from "vitest";
import { UpstreamError, type UpstreamErrorCode } from "../errors.ts";
import type { ClientSession } from "../upstream/client-session.ts";
import { createSubscriptionOffer } from "./subscription-offer.ts";

const session = {} as ClientSession;

/** A server whose start comes to what `starting` says, and that then says whether it `offers`. */
function serverOf({ offers = true, starting = () => Promise.resolve() } = {}) {
  let starts = 0;
  let subscribes: boolean | undefined;
  return {
    name: "s",
    get subscribes() {
      return subscribes;
    },
    async start() {
      starts++;
      await starting();
      subscribes = offers;
    },
    get starts() {
      return starts;
    },
  };
}

const offerOf = (...upstreams: ReturnType<typeof serverOf>[]) =>
  createSubscriptionOffer({ upstreams, waitFor: () => 20 });
const fails = (code: UpstreamErrorCode) => () => Promise.reject(new UpstreamError(code, "no"));

describe("createSubscriptionOffer", () => {
  it.each([true, false])(
    "[G16] is made where a server says %s, once that is known",
    async (offers) => {
      const server = serverOf({ offers });
      const offer = offerOf(server);
      expect(offer.isMade).toBe(false);
      await Promise.all([offer.learn(session), offer.learn(undefined)]);
      expect([offer.isMade, server.starts]).toEqual([offers, 1]);
      expect(offer.learn(session)).toBeUndefined();
    },
  );

  it("[G16] is nothing to wait for where no server has readable resources", () => {
    const offer = offerOf();
    expect([offer.learn(session), offer.isMade]).toEqual([undefined, false]);
  });

  it("[G14] [G16] waits no longer than a list for a server that hangs, and starts it once", async () => {
    const server = serverOf({ starting: () => new Promise(() => {}) });
    const offer = offerOf(server);
    await offer.learn(session);
    await offer.learn(session);
    expect([offer.isMade, server.starts]).toEqual([false, 1]);
  });

  it("[G14] [G16] has each client wait for a server that fails no more than once", async () => {
    const server = serverOf({ starting: fails("START_FAILED") });
    const offer = offerOf(server);
    await offer.learn(session);
    expect([offer.learn(session), offer.isMade, server.starts]).toEqual([undefined, false, 1]);
  });

  it("[G16] asks again where a server cannot run for this client, and perhaps for the next", async () => {
    const server = serverOf({ starting: fails("UNAVAILABLE") });
    const offer = offerOf(server);
    await offer.learn(session);
    await offer.learn(session);
    expect(server.starts).toBe(2);
  });
});
