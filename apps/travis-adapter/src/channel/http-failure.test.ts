import { RpcError } from "@core/wire";
import { describe, expect, it } from "vitest";
import { AdapterError } from "../errors.ts";
import { limits } from "../limits.ts";
import { failureOfFetch, refusalOf } from "./http-failure.ts";

/** As fetch rejects: what happened stands in its cause. */
const fetchFailed = (code?: string) =>
  new TypeError("fetch failed", {
    cause: Object.assign(
      new Error("at https://user:secret@host/"),
      code === undefined ? {} : { code },
    ),
  });

describe("failureOfFetch", () => {
  it.each([
    ["CERT_HAS_EXPIRED", /its certificate has expired/],
    ["CERT_NOT_YET_VALID", /not valid yet; check this machine's clock/],
    ["ERR_TLS_CERT_ALTNAME_INVALID", /its certificate is for another host name/],
    ["SELF_SIGNED_CERT_IN_CHAIN", /not trusted: NODE_EXTRA_CA_CERTS can name a file/],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", /not trusted: NODE_EXTRA_CA_CERTS can name a file/],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", /not trusted: NODE_EXTRA_CA_CERTS can name a file/],
    ["ERR_SSL_WRONG_VERSION_NUMBER", /does not speak TLS as it should.*begin with http:/],
    ["ECONNREFUSED", /check the address and that the server runs/],
    ["ENOTFOUND", /check the address and that the server runs/],
  ])("[A28] names the cause of %s, and says that nothing was sent", (code, sentence) => {
    const failure = failureOfFetch(fetchFailed(code));
    expect(failure.code).toBe("CONNECT_FAILED");
    expect(failure.message).toContain(`could not be reached (${code}), so nothing was sent; `);
    expect(failure.message).toMatch(sentence);
  });

  it.each([["ECONNRESET"], ["UND_ERR_SOCKET"], [undefined]])(
    "[A28] takes %s for a connection that broke on the way, because the server may have got it",
    (code) => {
      const failure = failureOfFetch(fetchFailed(code));
      expect(failure.code).toBe("CONNECTION_LOST");
      expect(failure.message).toBe(`The connection broke${code === undefined ? "" : ` (${code})`}`);
    },
  );

  it("[A34] shows a code and nothing else of what was thrown", () => {
    expect(failureOfFetch(fetchFailed("no code: /home/me")).message).toBe("The connection broke");
    const known = new AdapterError("LIMIT_EXCEEDED", "Too long");
    expect(failureOfFetch(known)).toBe(known);
  });
});

const SESSION = { "mcp-session-id": "s" };
const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const rpc = (status: number, code: number, message: string) =>
  json(status, { jsonrpc: "2.0", id: 1, error: { code, message } });

/** What a response to a POST comes to; `probe` answers the GET that looks for the legacy transport. */
function refusal(
  response: Response,
  headers = {},
  probe = () => new Response(null, { status: 405 }),
) {
  const probes: RequestInit[] = [];
  const fetch = async (_url: string | URL, init: RequestInit = {}) => {
    probes.push(init);
    return probe();
  };
  const url = "http://127.0.0.1/mcp";
  return refusalOf(response, url, { headers }, fetch).then((error) => ({ error, probes }));
}

describe("refusalOf", () => {
  it("lets an answer pass", async () => {
    expect((await refusal(new Response("{}"))).error).toBeUndefined();
  });

  it.each([401, 403])("[A28] says of %i that a header reference is the way", async (status) => {
    const { error } = await refusal(rpc(status, -32_000, "expired"), SESSION);
    expect(error).toMatchObject({ code: "UNAUTHORIZED", serverSaid: "expired" });
    expect(error?.message).toMatch(/OAuth is not supported.*"Bearer \$env:NAME"/);
  });

  it.each([
    [404, new Response("gone", { status: 404 })],
    [410, new Response(null, { status: 410 })],
    [400, rpc(400, -32_000, "Bad Request: Server not initialized")],
    [400, rpc(400, -32_000, "Bad Request: No valid session ID provided")],
  ])("[A28] takes %i for a session that is gone, where there was one", async (_, response) => {
    const copy = response.clone();
    expect((await refusal(response, SESSION)).error).toMatchObject({ code: "SESSION_GONE" });
    expect((await refusal(copy)).error).not.toMatchObject({ code: "SESSION_GONE" });
  });

  it.each([400, 404])(
    "[A22] hands on the JSON-RPC error of a %i, which may tell the era",
    async (status) => {
      const { error, probes } = await refusal(rpc(status, -32_022, "Unsupported protocol version"));
      expect(error).toBeInstanceOf(RpcError);
      expect(error).toMatchObject({ code: -32_022, message: "Unsupported protocol version" });
      expect(probes).toEqual([]);
    },
  );

  it("[A28] names an endpoint of the legacy transport, and asks only where it may be one", async () => {
    const events = { headers: { "content-type": "text/event-stream" } };
    const legacy = () => new Response("event: endpoint\ndata: /messages\n\n", events);
    const posted = { authorization: "Bearer x", "content-type": "application/json" };
    const { error, probes } = await refusal(new Response(null, { status: 405 }), posted, legacy);
    expect(error).toMatchObject({ code: "CONNECT_FAILED" });
    expect(error?.message).toMatch(/speaks only the legacy SSE transport/);
    const headers = new Headers(probes[0]?.headers);
    expect([
      headers.get("authorization"),
      headers.get("accept"),
      headers.get("content-type"),
    ]).toEqual(["Bearer x", "text/event-stream", null]);
    expect((await refusal(new Response(null, { status: 500 }), {}, legacy)).probes).toEqual([]);
  });

  it("[A34] shows of other refusals the status and a bounded JSON-RPC message, and no page", async () => {
    const page = new Response("<h1>at /srv/secret</h1>", { status: 502 });
    expect((await refusal(page)).error).toMatchObject({
      code: "SERVER_ERROR",
      message: "The server answered with HTTP status 502",
      serverSaid: undefined,
    });
    const long = await refusal(rpc(500, 1, "x".repeat(limits.maxServerMessageBytes + 1)));
    expect(long.error).toMatchObject({ serverSaid: "x".repeat(limits.maxServerMessageBytes) });
    const endless = await refusal(rpc(500, 1, "x".repeat(limits.maxErrorBytes)));
    expect(endless.error).toMatchObject({ serverSaid: undefined });
  });
});
