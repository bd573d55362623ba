import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_HEADER_BYTES } from "../limits.ts";
import { readBody } from "./body.ts";
import { createHttpServer, type Listener } from "./listener.ts";
import { listenTcp } from "./tcp.ts";

let listener: Listener;
const refusals = { add: vi.fn() };
beforeEach(async () => {
  refusals.add.mockClear();
  listener = await listenTcp(
    { host: "127.0.0.1", port: 0 },
    {
      maxConnections: 3,
      refusals,
      headersTimeoutMs: 150,
      requestTimeoutMs: 300,
      handle: (request, response) =>
        readBody(request, 1000, (body) => void response.end(String(body?.length))),
    },
  );
});
afterEach(() => listener.close());

/** A connection that sends this, and what becomes of it. */
function dial(sends = "") {
  const socket: Socket = connect(Number(new URL(listener.place).port), "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString();
  });
  const ended = new Promise<string>((resolve) => {
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
  socket.write(sends);
  return { socket, ended };
}
const HEAD = "POST /mcp HTTP/1.1\r\nHost: localhost\r\n";

describe("a listener", () => {
  it.each([
    ["headers that never end", `${HEAD}X-A: `],
    ["a body that never ends", `${HEAD}Content-Length: 900\r\n\r\nabc`],
    ["chunks that never end", `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n`],
  ])("[G9] cuts off a client with %s", async (_name, sends) => {
    const { socket, ended } = dial(sends);
    const drip = setInterval(() => socket.write("1"), 20);
    try {
      expect(await ended).toMatch(/^(HTTP\/1.1 (408|400)|$)/);
    } finally {
      clearInterval(drip);
    }
  });

  it("[G9] refuses headers without end in number or size", async () => {
    const { ended } = dial(`${HEAD}X-A: ${"a".repeat(MAX_HEADER_BYTES)}\r\n\r\n`);
    expect(await ended).toContain("HTTP/1.1 431");
    const many = dial(`${HEAD}${"X-A: b\r\n".repeat(MAX_HEADER_BYTES / 4)}\r\n`);
    expect(await many.ended).toContain("HTTP/1.1 431");
  });

  it("[G9] takes no more connections than its cap, counts them, and takes new ones when some go", async () => {
    const held = [dial(), dial(), dial()];
    await vi.waitFor(() => expect(listener.connections).toBe(3));
    expect(await dial(`${HEAD}Content-Length: 0\r\n\r\n`).ended).toBe("");
    expect(refusals.add).toHaveBeenCalledWith("3 are open, and no more are taken");
    for (const { socket } of held) socket.destroy();
    await vi.waitFor(() => expect(listener.connections).toBe(0));
    const { ended } = dial(`${HEAD}Content-Length: 2\r\nConnection: close\r\n\r\nab`);
    expect(await ended).toMatch(/^HTTP\/1.1 200 .*\r\n\r\n2$/s);
  });

  it("[G1] goes by another cap from now on, and leaves open what is open", async () => {
    const held = [dial(), dial()];
    await vi.waitFor(() => expect(listener.connections).toBe(2));
    listener.limit(1);
    expect(await dial(`${HEAD}Content-Length: 0\r\n\r\n`).ended).toBe("");
    expect(refusals.add).toHaveBeenCalledWith("1 are open, and no more are taken");
    expect(listener.connections).toBe(2);
    listener.limit(3);
    const { ended } = dial(`${HEAD}Content-Length: 2\r\nConnection: close\r\n\r\nab`);
    expect(await ended).toMatch(/^HTTP\/1.1 200 /);
    for (const { socket } of held) socket.destroy();
  });

  it("[G9] outlives that the system has no room for a connection", async () => {
    const server = createHttpServer({ maxConnections: 3, refusals, handle: () => {} });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // As node:net reports an accept that fails; no test can make that happen at will.
    const failed = Object.assign(new Error("accept EMFILE"), { code: "EMFILE" });
    server.emit("error", failed);
    server.emit("error", failed);
    expect(refusals.add).toHaveBeenCalledTimes(2);
    expect(refusals.add).toHaveBeenCalledWith("the system has no room for it (EMFILE)");
    await new Promise((resolve) => server.close(resolve));
  });
});
