import { readFileSync } from "node:fs";
import { createServer as createProxy } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { startHttpServer } from "./http-server.ts";
import { openSession } from "./session.ts";

const pem = (name: string) => fileURLToPath(new URL(`tls/${name}.pem`, import.meta.url));
const [key, cert] = [readFileSync(pem("key")), readFileSync(pem("certificate"))];

async function listen(server: Server) {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: async () => void server.close() };
}

/** TLS in front of a plain server. */
function startTls(plainUrl: string) {
  return listen(
    createServer({ key, cert }, async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const headers = Object.entries(request.headers).filter(
        ([name]) => !/^(host|connection|content-length|transfer-encoding)$/.test(name),
      );
      const answer = await fetch(plainUrl, {
        method: request.method ?? "GET",
        headers: headers as [string, string][],
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (request.method === "GET") response.end();
      else response.end(Buffer.from(await answer.arrayBuffer()));
    }),
  );
}

/** A proxy that tunnels every host to one port of this machine, and writes down which were asked for. */
async function startProxy(port: number) {
  const asked: string[] = [];
  const proxy = createProxy();
  proxy.on("connect", (request, socket) => {
    asked.push(request.url ?? "");
    const tunnel = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      tunnel.pipe(socket).pipe(tunnel);
    });
    for (const end of [socket, tunnel]) end.on("error", () => tunnel.destroy());
    socket.on("close", () => tunnel.destroy());
  });
  const listening = await listen(proxy);
  return { ...listening, url: `http://127.0.0.1:${listening.port}`, asked };
}

const echo = { server: "web", tool: "echo", args: { a: 1 } };

describe("an HTTP server", () => {
  it("[A28] is reached through the proxy of the environment, which NO_PROXY takes out of the way", async () => {
    await using server = await startHttpServer();
    await using proxy = await startProxy(Number(new URL(server.url).port));
    const servers = { web: { url: "http://mcp.test/mcp" } };
    {
      await using session = await openSession(servers, { env: { HTTP_PROXY: proxy.url } });
      expect((await session.ask(echo)).text).toBe('{"a":1}');
      expect(new Set(proxy.asked)).toEqual(new Set(["mcp.test:80"]));
    }
    const env = { HTTP_PROXY: proxy.url, NO_PROXY: "mcp.test" };
    await using session = await openSession(servers, { env });
    expect((await session.ask(echo)).text).toMatch(/CONNECT_FAILED.*(ENOTFOUND|EAI_AGAIN)/);
  });

  it("[A28] of this machine is never reached through a proxy", async () => {
    await using server = await startHttpServer();
    const env = { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" };
    await using session = await openSession({ web: { url: server.url } }, { env });
    expect((await session.ask(echo)).text).toBe('{"a":1}');
  });

  it("[A28] whose certificate nobody vouches for fails with that cause, unless NODE_EXTRA_CA_CERTS does", async () => {
    await using server = await startHttpServer();
    await using tls = await startTls(server.url);
    const servers = { web: { url: `https://127.0.0.1:${tls.port}/mcp` } };
    {
      await using session = await openSession(servers, { env: {} });
      expect((await session.ask(echo)).text).toMatch(
        /CONNECT_FAILED.*DEPTH_ZERO_SELF_SIGNED_CERT.*nothing was sent; its certificate is not trusted/,
      );
    }
    const env = { NODE_EXTRA_CA_CERTS: pem("certificate") };
    await using session = await openSession(servers, { env });
    expect((await session.ask(echo)).text).toBe('{"a":1}');
    await using lost = await openSession(servers, { env: { NODE_EXTRA_CA_CERTS: "/no/such" } });
    const { text } = await lost.ask(echo);
    expect(text).toMatch(/CONNECT_FAILED.*NODE_EXTRA_CA_CERTS names cannot be read/);
    expect(text).not.toContain("/no/such");
  });

  it("[A28] that speaks no TLS is told of as such", async () => {
    await using server = await startHttpServer();
    const url = server.url.replace("http:", "https:");
    await using session = await openSession({ web: { url } });
    expect((await session.ask(echo)).text).toMatch(/CONNECT_FAILED.*does not speak TLS/);
  });

  it("[A28] may be redirected on its own origin", async () => {
    await using server = await startHttpServer({
      intercept({ url }, response) {
        if (url !== "/old") return false;
        response.writeHead(307, { location: "/mcp" }).end();
        return true;
      },
    });
    await using session = await openSession({ web: { url: server.url.replace("/mcp", "/old") } });
    expect((await session.ask(echo)).text).toBe('{"a":1}');
  });

  it.each([404, 410])(
    "[A28] that forgets a session with %i gets a fresh one with the next call",
    async (status) => {
      let isGone = false;
      await using server = await startHttpServer({
        intercept({ rpc }, response) {
          if (rpc !== "tools/call" || !isGone) return false;
          isGone = false;
          response.writeHead(status).end();
          return true;
        },
      });
      await using session = await openSession({ web: { url: server.url } });
      await session.ask(echo);
      isGone = true;
      expect((await session.ask(echo)).text).toMatch(/SESSION_GONE/);
      expect((await session.ask(echo)).text).toBe('{"a":1}');
      expect(server.requests.filter(({ rpc }) => rpc === "tools/call")).toHaveLength(3);
    },
  );

  it("[A28] that forgets a session and says so with 400 gets a fresh one with the next call", async () => {
    let isGone = false;
    await using server = await startHttpServer({
      intercept({ rpc, id }, response) {
        if (rpc !== "tools/call" || !isGone) return false;
        isGone = false;
        const error = { code: -32_000, message: "Bad Request: Server not initialized" };
        response.writeHead(400, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id, error }));
        return true;
      },
    });
    await using session = await openSession({ web: { url: server.url } });
    await session.ask(echo);
    isGone = true;
    expect((await session.ask(echo)).text).toMatch(/SESSION_GONE/);
    expect((await session.ask(echo)).text).toBe('{"a":1}');
    expect(server.requests.filter(({ rpc }) => rpc === "initialize")).toHaveLength(2);
  });

  it("[A30] that never answers DELETE holds up no shutdown", async () => {
    await using server = await startHttpServer({ intercept: ({ method }) => method === "DELETE" });
    const session = await openSession({ web: { url: server.url } });
    await session.ask(echo);
    await session[Symbol.asyncDispose]();
    expect(server.requests.at(-1)?.method).toBe("DELETE");
  });
});
