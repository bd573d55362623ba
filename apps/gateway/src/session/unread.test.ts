import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { MIB } from "@core/bounds";
import { expect, it } from "vitest";
import { cutWhenUnread } from "./unread.ts";

const BYTES = 32 * MIB;

/** A server that answers with more than the buffers of the system hold, and a client that has asked it. */
async function asked(ms: number) {
  const server = createServer((_request, response) => {
    response.end(Buffer.alloc(BYTES));
    cutWhenUnread(response, ms);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = connect(port, "127.0.0.1");
  client.pause();
  client.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const [, response] = (await once(server, "request")) as [unknown, ServerResponse];
  const closed = once(response, "close");
  /** Reads until the connection ends, and tells how much came. */
  const read = async () => {
    client.on("error", () => {}); // a connection that was cut is one way to end
    client.resume();
    await once(client, "close");
    server.close();
    return client.bytesRead;
  };
  return { closed, read };
}

it("[G9] cuts the connection of a client that does not read its answer", async () => {
  const { closed, read } = await asked(100);
  await closed;
  expect(await read()).toBeLessThan(BYTES);
});

it("[G9] gives the whole answer to one that reads", async () => {
  const { closed, read } = await asked(10_000);
  expect(await read()).toBeGreaterThan(BYTES);
  await closed;
});
