import { fileURLToPath } from "node:url";
import { isAlive, startProcess } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { fixture, openSession } from "./session.ts";

const script = (name: string) => fileURLToPath(new URL(`servers/${name}.mjs`, import.meta.url));
const modern = { command: process.execPath, args: [script("modern-stdio")] };

async function startModernHttp() {
  const server = startProcess(process.execPath, [script("modern-http")]);
  const [, port] = await server.waitFor(/^port (\d+)$/m);
  const seen = () =>
    server
      .printed()
      .stdout.split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Record<string, string | undefined>);
  return { server, url: `http://127.0.0.1:${port}/mcp`, seen };
}

describe("a server of the modern era", () => {
  it("[A22] is found on stdio in the process that refused initialize", async () => {
    await using session = await openSession({ modern });
    expect((await session.ask({ server: "modern" })).text).toMatch(/^MCP tools on "modern" \(5\)/);
    const echoed = await session.ask({ server: "modern", tool: "echo", args: { region: "eu" } });
    expect(echoed.text).toBe("echo of eu");
    const listed = await session.ask({ server: "modern", operation: "resources.list" });
    const [resource] = /mcp-resource-[0-9a-f]{32}/.exec(listed.text) ?? [];
    const read = { server: "modern", operation: "resources.read", resource };
    expect((await session.ask(read)).text).toContain("milk");
    const prompt = { server: "modern", operation: "prompts.get", prompt: "hello" };
    expect((await session.ask(prompt)).text).toContain("Say hello");
  });

  it("[A22] that asks for input is declined at once, and the call says so", async () => {
    await using session = await openSession({ modern, wants: fixture("wants-input") });
    const refused = await session.ask({ server: "modern", tool: "ask" });
    expect(refused.text).toMatch(/INPUT_REQUIRED.*-32021[\s\S]*elicitation\/create/);
    const { text, isError } = await session.ask({ server: "wants", tool: "ask" });
    expect(isError).toBe(true);
    expect(text).toMatch(/INPUT_REQUIRED.*"elicitation\/create".*declined/);
    expect((await session.ask({})).text).toMatch(/modern: connected[\s\S]*wants: connected/);
  });

  it("[A20] tells of a changed list, which is then read anew", async () => {
    await using session = await openSession({ modern });
    expect((await session.ask({ server: "modern" })).text).toMatch(/\(5\)/);
    await session.ask({ server: "modern", tool: "grow" });
    expect((await session.ask({ server: "modern" })).text).toMatch(/\(6\)[\s\S]*- grown/);
  });

  it("[A22] is found over HTTP, with the headers that its revision wants", async () => {
    const { server, url, seen } = await startModernHttp();
    await using _server = server;
    await using session = await openSession({ web: { url } });
    const echoed = await session.ask({ server: "web", tool: "echo", args: { region: "eu" } });
    expect(echoed.text).toBe("echo of eu");
    expect(seen().filter(({ method }) => method !== "subscriptions/listen")).toEqual([
      { http: "POST" },
      { http: "POST", method: "server/discover" },
      { http: "POST", method: "tools/list" },
      { http: "POST", method: "tools/call", name: "echo", region: "eu" },
    ]);
    const asked = await session.ask({ server: "web", tool: "ask" });
    expect(asked.text).toMatch(/INPUT_REQUIRED.*-32021/);
    await session.ask({ server: "web", operation: "reconnect" });
    const opened = seen().filter(({ http, method }) => http && method !== "subscriptions/listen");
    expect(opened.slice(5)).toEqual([{ http: "POST", method: "server/discover" }]);
  });

  it("[A24] learns of a cancelled call over HTTP by the end of its response", async () => {
    const { server, url } = await startModernHttp();
    await using _server = server;
    await using session = await openSession({ web: { url } });
    await session.ask({ server: "web" });
    const controller = new AbortController();
    const waiting = session.ask({ server: "web", tool: "wait" }, controller.signal);
    await server.waitFor(/"method":"tools\/call"/);
    controller.abort();
    expect((await waiting).text).toMatch(/CANCELLED/);
    await server.waitFor(/"closed":"tools\/call"/);
    expect((await session.ask({ server: "web", tool: "pid" })).text).toMatch(/^\d+$/);
  });

  it("[A22] that answers initialize in its own revision is asked in it, and told of if it knows no question", async () => {
    await using session = await openSession({
      modern: fixture("initializes-modern"),
      alone: fixture("initializes-modern", {}, "alone"),
    });
    const { text } = await session.ask({ server: "modern", tool: "era" });
    expect(text).toContain('"io.modelcontextprotocol/protocolVersion":"2026-07-28"');
    expect((await session.ask({ server: "alone", tool: "era" })).text).toMatch(
      /CONNECT_FAILED.*answered initialize with revision "2026-07-28"/,
    );
  });

  it("[A22] that ends at initialize is started afresh once, and from then on asked directly", async () => {
    await using session = await openSession({ server: fixture("knows-only-discover") });
    const pid = async () => Number((await session.ask({ server: "server", tool: "pid" })).text);
    const first = await pid();
    expect(isAlive(first)).toBe(true);
    await session.ask({ server: "server", operation: "reconnect" });
    expect(isAlive(first)).toBe(false);
    expect(isAlive(await pid())).toBe(true);
  });
});

it.concurrent("[A22] a modern server that is silent to initialize is asked once more within the connect time", async () => {
  const quiet = fixture("ignores-initialize", { requestTimeoutMs: 4000 });
  await using session = await openSession({ quiet });
  expect((await session.ask({ server: "quiet" })).text).toMatch(/^MCP tools on "quiet" \(1\)/);
});

describe("a server of the legacy era", () => {
  it("[A22] that asks for a sample is declined at once, and the call says so", async () => {
    await using session = await openSession({ asks: fixture("asks-back") });
    const { text } = await session.ask({ server: "asks", tool: "ask" });
    expect(text).toBe(
      'declined with -32601\n[Meanwhile the server asked for "sampling/createMessage", which this client does not do; it was declined]',
    );
  });

  it("[A22] that ends at its start is told of as it ended the first time", async () => {
    await using session = await openSession({ broken: fixture("exits-at-start") });
    expect((await session.ask({ server: "broken" })).text).toMatch(
      /START_FAILED.*exited with status 3 before it answered/,
    );
  });
});
