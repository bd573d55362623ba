import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP port that leads to a socket, for clients that know only URLs. */
export async function forwardTo(socketPath: string): Promise<AsyncDisposable & { url: URL }> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const other = connect(socketPath);
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
