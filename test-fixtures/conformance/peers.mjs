// What the suite is pointed at: a server itself, and the same server behind the gateway, by each of its doors.
import { join } from "node:path";
import { createTempFolder, forwardTo, repository, startDaemon, startProcess } from "test-fixtures";

const script = join(repository, "test-fixtures", "conformance", "server.mjs");

/** Starts the peers of an era. `urls` has one for each column of the tables; `stop` ends them all. */
export async function startPeers(era) {
  const ends = [];
  const stop = async () => {
    for (const one of ends.reverse()) await one[Symbol.asyncDispose]();
  };
  const keep = (one) => {
    ends.push(one);
    return one;
  };
  try {
    const direct = keep(startProcess(process.execPath, [script, era, "http"]));
    const [url] = await direct.waitFor(/^http:\S+/);
    const folder = keep(createTempFolder());
    const gateway = keep(await startDaemon(await configurationFor(era), { folder: folder.path }));
    const forwarder = keep(await forwardTo(gateway.socket));
    return {
      urls: { direct: url, TCP: gateway.url.href, socket: forwarder.url.href },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** All that the suite asks for is allowed by its name, and nothing else is. */
async function configurationFor(era) {
  const { toolNames } = await import(`./${era}.mjs`);
  const resources = ["static-text", "static-binary", "watched-resource", "template/*"];
  return {
    server: { transport: ["sse", "unix"] },
    mcp_servers: {
      conformance: {
        command: process.execPath,
        args: [script, era, "stdio"],
        allow: [
          ...toolNames.map((tool) => ({ tool })),
          ...resources.map((path) => ({ resource: `test://${path}` })),
          { prompt: "test_*" },
        ],
      },
    },
  };
}
