// The server that the conformance suite is run against, in one era over one transport:
//   node server.mjs handshake|stateless stdio|http
// Over HTTP it prints its URL and takes loopback Hosts and Origins alone.
import { randomUUID } from "node:crypto";
import { createServer as createHttpServer } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";

const [era, transport] = process.argv.slice(2);

const serving = {
  async "handshake stdio"() {
    const { createServer } = await import("./handshake.mjs");
    const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
    await createServer().connect(new StdioServerTransport());
  },
  async "handshake http"() {
    const { createServer } = await import("./handshake.mjs");
    const { StreamableHTTPServerTransport } = await import(
      "@modelcontextprotocol/sdk/server/streamableHttp.js"
    );
    const sessions = new Map();
    listen(async (request, response) => {
      const id = request.headers["mcp-session-id"];
      const known = sessions.get(id);
      if (known !== undefined) return known.handleRequest(request, response);
      if (id !== undefined) return void response.writeHead(404).end();
      const session = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (made) => sessions.set(made, session),
        onsessionclosed: (made) => sessions.delete(made),
      });
      await createServer().connect(session);
      await session.handleRequest(request, response);
    });
  },
  async "stateless stdio"() {
    const { createServer } = await import("./stateless.mjs");
    const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
    const options = { legacy: "reject" };
    serveStdio(() => {
      const made = createServer((kind) =>
        kind === "tool" ? made.server.sendToolListChanged() : made.server.sendPromptListChanged(),
      );
      return made;
    }, options);
  },
  async "stateless http"() {
    const { createServer } = await import("./stateless.mjs");
    const { createMcpHandler } = await import("@modelcontextprotocol/server");
    const factory = () => createServer((kind) => handler.notify[`${kind}sChanged`]());
    const handler = createMcpHandler(factory, { legacy: "reject" });
    listen(async (incoming, outgoing) => {
      const left = new AbortController();
      outgoing.on("close", () => left.abort());
      const { url, method, headers } = incoming;
      const answer = await handler.fetch(
        new Request(new URL(url, "http://127.0.0.1"), {
          method,
          headers,
          signal: left.signal,
          ...(method === "POST" && { body: await text(incoming) }),
        }),
      );
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body === null) outgoing.end();
      else
        Readable.fromWeb(answer.body)
          .on("error", () => outgoing.end())
          .pipe(outgoing);
    });
  },
};

/** Serves on a free port of loopback, and refuses what a web page elsewhere may have sent. */
function listen(handle) {
  const isLocal = (host) => /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);
  const server = createHttpServer((request, response) => {
    const { host = "", origin } = request.headers;
    const isAllowed = isLocal(host) && (origin === undefined || isLocal(new URL(origin).host));
    if (!isAllowed) return void response.writeHead(403).end();
    handle(request, response).catch((error) => {
      process.stderr.write(`${error.stack}\n`);
      response.destroy();
    });
  });
  server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
}

const serve = serving[`${era} ${transport}`];
if (serve === undefined) {
  console.error("error: node server.mjs handshake|stateless stdio|http");
  process.exitCode = 2;
} else await serve();
