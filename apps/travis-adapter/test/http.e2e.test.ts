import type { ServerResponse } from "node:http";
import { CANARY, findCanary } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { type Seen, startHttpServer } from "./http-server.ts";
import { openSession } from "./session.ts";

const TOKEN = "http-token-7f3a9c1e";
const headers = { Authorization: "Bearer $env:REMOTE_TOKEN" };
const open = (
  url: string,
  fields: object = {},
  env: Record<string, string> = { REMOTE_TOKEN: TOKEN },
) => openSession({ web: { url, headers, ...fields } }, { env });
const echo = (args: object = {}) => ({ server: "web", tool: "echo", args });

/** An answer to one JSON-RPC method in place of the server's. */
const instead = (rpc: string, answer: (response: ServerResponse) => void) => ({
  intercept(seen: Seen, response: ServerResponse) {
    if (seen.rpc !== rpc) return false;
    answer(response);
    return true;
  },
});

describe("a Streamable HTTP server", () => {
  it("gets no request before it is used, the header on each, and DELETE at the end", async () => {
    await using server = await startHttpServer();
    {
      await using session = await open(server.url);
      await session.ask({});
      expect(server.requests).toEqual([]);
      expect((await session.ask({ server: "web" })).text).toMatch(
        /^MCP tools on "web" \(2\)\n- echo/,
      );
      expect((await session.ask(echo({ a: 1 }))).text).toBe('{"a":1}');
    }
    const authorizations = server.requests.map((request) => request.headers.authorization);
    expect(new Set(authorizations)).toEqual(new Set([`Bearer ${TOKEN}`]));
    expect(server.requests.at(-1)?.method).toBe("DELETE");
  });

  it("[A34] never gets a secret of its header back into an answer", async () => {
    await using server = await startHttpServer();
    await using session = await open(server.url, {}, { REMOTE_TOKEN: "tok-en/+123456&" });
    const answer = await session.ask(echo({ said: "tok-en/+123456&" }));
    expect(answer.text).toBe('{"said":"[redacted]"}');
    expect(findCanary(JSON.stringify(answer))).toEqual([]);
    expect(CANARY).not.toBe("");
  });

  it("[A7] gets nothing while its reference is unresolved, and the model learns the name", async () => {
    await using server = await startHttpServer();
    await using session = await open(server.url, {}, {});
    const { text, isError } = await session.ask({ server: "web" });
    expect(isError).toBe(true);
    expect(text).toMatch(/REFERENCE_UNRESOLVED.*headers\.Authorization.*REMOTE_TOKEN/);
    expect(server.requests).toEqual([]);
  });

  it("[A28] that forgot the session gets a fresh one with the next call, and no call twice", async () => {
    await using server = await startHttpServer();
    await using session = await open(server.url);
    await session.ask(echo());
    server.forgetSessions();
    const gone = await session.ask(echo({ n: 2 }));
    expect(gone).toMatchObject({
      isError: true,
      details: { travis234Mcp: { errorType: "SESSION_GONE" } },
    });
    expect((await session.ask(echo({ n: 3 }))).text).toBe('{"n":3}');
    expect(server.requests.filter(({ rpc }) => rpc === "tools/call")).toHaveLength(3);
    expect(server.requests.filter(({ rpc }) => rpc === "initialize")).toHaveLength(2);
  });

  it.each([202, 204, 205])("[A28] that answers a call with %i fails it at once", async (status) => {
    await using server = await startHttpServer(
      instead("tools/call", (response) => response.writeHead(status).end()),
    );
    await using session = await open(server.url);
    const { text } = await session.ask(echo());
    expect(text).toMatch(/PROTOCOL_ERROR.*took the request and gives no answer/);
  });

  it.each([401, 403])(
    "[A28] that answers %i is told of as wanting a header reference",
    async (status) => {
      const refusal = instead("initialize", (response) => response.writeHead(status).end());
      await using server = await startHttpServer(refusal);
      await using session = await open(server.url);
      const { text } = await session.ask({ server: "web" });
      expect(text).toMatch(/UNAUTHORIZED.*OAuth is not supported.*Bearer \$env:NAME/s);
      expect(text).not.toContain(TOKEN);
    },
  );

  it("[A28] that ends a stream before the answer fails the call at once", async () => {
    const cut = instead("tools/call", (response) =>
      response.writeHead(200, { "content-type": "text/event-stream" }).end("event: message\n"),
    );
    await using server = await startHttpServer(cut);
    await using session = await open(server.url);
    const { text } = await session.ask(echo());
    expect(text).toMatch(/CONNECTION_LOST.*The outcome is unknown/s);
  });

  it("[A28] may refuse the stream of notifications in any way", async () => {
    await using server = await startHttpServer({
      intercept({ method }, response) {
        if (method !== "GET") return false;
        response.writeHead(200, { "content-type": "application/json" }).end("{}");
        return true;
      },
    });
    await using session = await open(server.url);
    expect((await session.ask(echo({ a: 1 }))).text).toBe('{"a":1}');
    expect(server.requests.filter(({ method }) => method === "GET")).toHaveLength(1);
  });

  it("[A28] is not followed to another origin, and its header goes nowhere else", async () => {
    await using elsewhere = await startHttpServer();
    const redirect = instead("initialize", (response) =>
      response.writeHead(307, { location: elsewhere.url }).end(),
    );
    await using server = await startHttpServer(redirect);
    await using session = await open(server.url);
    const { text } = await session.ask({ server: "web" });
    expect(text).toMatch(/CONNECT_FAILED.*redirects to another origin/);
    expect(elsewhere.requests).toEqual([]);
  });

  it("[A28] that speaks only legacy SSE is named as such", async () => {
    await using server = await startHttpServer({
      intercept({ method }, response) {
        if (method !== "GET") response.writeHead(405).end();
        else
          response
            .writeHead(200, { "content-type": "text/event-stream" })
            .write("event: endpoint\ndata: /messages\n\n");
        return true;
      },
    });
    await using session = await open(server.url);
    expect((await session.ask({ server: "web" })).text).toMatch(/only the legacy SSE transport/);
  });

  it("that cannot be reached fails with the system's code, and nothing was sent", async () => {
    const server = await startHttpServer();
    await server[Symbol.asyncDispose]();
    await using session = await open(server.url);
    const { text } = await session.ask({ server: "web" });
    expect(text).toMatch(/CONNECT_FAILED.*ECONNREFUSED.*nothing was sent/);
    expect(text).not.toContain("127.0.0.1");
  });

  it("[A24] is told of a cancelled call, and other calls on the connection go on", async () => {
    await using server = await startHttpServer();
    await using session = await open(server.url);
    await session.ask({ server: "web" });
    const controller = new AbortController();
    const waiting = session.ask({ server: "web", tool: "wait" }, controller.signal);
    const other = session.ask(echo({ still: "here" }));
    await server.waitFor("tools/call", 2);
    controller.abort();
    expect((await waiting).text).toMatch(/CANCELLED.*The outcome is unknown/s);
    expect((await other).text).toBe('{"still":"here"}');
    await server.waitFor("notifications/cancelled", 1);
    expect(server.requests.filter(({ rpc }) => rpc === "initialize")).toHaveLength(1);
  });

  it("[A29] beyond this machine is refused offline", async () => {
    const servers = { web: { url: "https://example.invalid/mcp" } };
    await using session = await openSession(servers, { offline: true });
    expect((await session.ask({ server: "web" })).text).toMatch(/OFFLINE/);
  });
});
