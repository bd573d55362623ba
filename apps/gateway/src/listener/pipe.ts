import { createHttpServer, createListener, type Listener, type ListenOptions } from "./listener.ts";
import { socketRefused, socketTaken } from "./socket-error.ts";

/**
 * Listens on a named pipe of Windows. As the system makes them, its maker and administrators may write to it, and others
 * only read, which makes no request; nothing of it is left on a disk. Rejects with StartError.
 */
export async function listenPipe(path: string, options: ListenOptions): Promise<Listener> {
  const server = createHttpServer(options);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      const refused = () =>
        socketRefused(path, "the system does not allow it", "another pipe", error);
      reject(isTaken ? socketTaken(path, error) : refused());
    });
    // Said although it is the default: true would let everyone on this machine in.
    server.listen({ path, readableAll: false, writableAll: false }, resolve);
  });
  return createListener(server, path);
}
