import { readEnvelope } from "@core/wire";
import { describe, expect, it } from "vitest";
import { UpstreamError } from "../errors.ts";
import type { Of } from "./answer.ts";
import { createListenedUpdates } from "./resource-updates.ts";

function listening() {
  const sent: { id?: string; method: string; params: Record<string, unknown> }[] = [];
  const updates = createListenedUpdates({
    name: "s",
    sendRequest: (message) => sent.push(message as (typeof sent)[0]),
    sendNotification: (message) => sent.push(message as (typeof sent)[0]),
  });
  const acknowledge = (id: unknown, notifications: unknown) => {
    const _meta = { "io.modelcontextprotocol/subscriptionId": id };
    const params = { notifications, _meta };
    const method = "notifications/subscriptions/acknowledged";
    const bytes = Buffer.from(JSON.stringify({ jsonrpc: "2.0", method, params }));
    updates.acknowledged(bytes, readEnvelope(bytes) as Of<"notification">);
  };
  return { updates, sent, acknowledge };
}

describe("createListenedUpdates", () => {
  it("[G12] opens a stream for each resource, and ends it by its id", async () => {
    const { updates, sent, acknowledge } = listening();
    const opened = updates.subscribe("note:1", 1000);
    const [{ id, method, params } = { method: "", params: {} }] = sent;
    expect([method, params.notifications]).toEqual([
      "subscriptions/listen",
      { resourceSubscriptions: ["note:1"] },
    ]);
    for (const other of ["listen", 1, null, "resource 9"])
      acknowledge(other, { resourceSubscriptions: ["note:1"] });
    acknowledge(id, { resourceSubscriptions: ["note:1"] });
    await opened;
    await updates.unsubscribe("note:1");
    await updates.unsubscribe("note:1");
    expect(sent.slice(1)).toMatchObject([
      { method: "notifications/cancelled", params: { requestId: id } },
    ]);
  });

  it.each([
    [
      "leaves the resource out",
      (id: unknown, { acknowledge }: ReturnType<typeof listening>) => acknowledge(id, {}),
    ],
    [
      "says something odd",
      (id: unknown, { acknowledge }: ReturnType<typeof listening>) => acknowledge(id, [7]),
    ],
    [
      "answers at once",
      (id: unknown, { updates }: ReturnType<typeof listening>) =>
        updates.answered(String(id), undefined),
    ],
    [
      "answers with an error",
      (id: unknown, { updates }: ReturnType<typeof listening>) =>
        updates.answered(String(id), { code: -32603, text: "full" }),
    ],
    [
      "ends",
      (_: unknown, { updates }: ReturnType<typeof listening>) =>
        updates.fail(new UpstreamError("ENDED", "gone")),
    ],
  ])("[G12] fails where the server %s", async (_name, happens) => {
    const all = listening();
    const opened = all.updates.subscribe("note:1", 1000);
    happens(all.sent[0]?.id, all);
    await expect(opened).rejects.toBeInstanceOf(UpstreamError);
  });

  it("[G14] gives a server up that says nothing, and takes the request back", async () => {
    const { updates, sent } = listening();
    await expect(updates.subscribe("note:1", 1)).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(sent[1]).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: sent[0]?.id },
    });
  });
});
