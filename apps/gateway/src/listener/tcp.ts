import type { AddressInfo } from "node:net";
import { type Address, formatAddress } from "../config/address.ts";
import { StartError } from "../errors.ts";
import { createHttpServer, createListener, type Listener, type ListenOptions } from "./listener.ts";

/** Binds one address. Rejects with StartError. */
export async function listenTcp(address: Address, options: ListenOptions): Promise<Listener> {
  const server = createHttpServer(options);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(bindError(address, error)));
    server.listen(address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return createListener(server, `http://${formatAddress({ host: address.host, port })}`);
}

function bindError(address: Address, cause: Error): StartError {
  const where = formatAddress(address);
  switch ((cause as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new StartError(
        "ADDRESS_IN_USE",
        `Cannot listen on ${where}: another process uses this port`,
        { hint: "Stop that process, or choose another port in server.listen", cause },
      );
    case "EACCES":
      return new StartError(
        "CANNOT_LISTEN",
        `Cannot listen on ${where}: the system does not allow it`,
        {
          hint: "Choose a port above 1023 in server.listen",
          cause,
        },
      );
    default:
      return new StartError(
        "CANNOT_LISTEN",
        `Cannot listen on ${where}: this machine has no such address`,
        {
          hint: "Choose an address of this machine in server.listen",
          cause,
        },
      );
  }
}
