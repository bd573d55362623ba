import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  askDirectly,
  bodyOf,
  createTempFolder,
  type DirectRequest,
  installInspector,
  launchOf,
  openSession,
  type Peer,
  peers,
  rpc,
  run,
  send,
} from "test-fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { type GatewayProcess, startGateway, textOf } from "./gateway-process.ts";

/** What the gateway declares to a shared server. Servers make their lists by it. */
const CAPABILITIES = { sampling: {}, elicitation: {} };
/** One of them stands behind a prefix. */
const PREFIX = { name: "memory", prefix: "notes" };

interface Question extends DirectRequest {
  /** What the server itself answers: the bytes of its result. */
  readonly answer: string;
}

/** A server as it is when nothing stands in front of it. */
interface Direct {
  readonly peer: Peer;
  /** Each tool, resource and prompt that it lists, as its bytes. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly questions: readonly Question[];
}

const LISTS: readonly (readonly [method: string, member: string])[] = [
  ["tools/list", "tools"],
  ["resources/list", "resources"],
  ["resources/templates/list", "resourceTemplates"],
  ["prompts/list", "prompts"],
];

const folder = createTempFolder();
const folderOf = ({ name }: Peer) => join(folder.path, name);

async function readDirectly(peer: Peer): Promise<Direct> {
  const asked: DirectRequest[] = [
    ...peer.calls.map(({ tool, arguments: args }) => ({
      method: "tools/call",
      params: { name: tool, arguments: args },
    })),
    ...(peer.resources ?? []).map((uri) => ({ method: "resources/read", params: { uri } })),
    ...(peer.prompts ?? []).map((params) => ({ method: "prompts/get", params })),
  ];
  const launch = await launchOf(peer, folderOf(peer));
  const listed = LISTS.map(([method]) => ({ method }));
  const [, ...answers] = await askDirectly(launch, CAPABILITIES, [...listed, ...asked]);
  const lists = LISTS.map(([, member], at) => {
    const { result } = JSON.parse(answers[at]!);
    return [member, ((result?.[member] ?? []) as object[]).map((entry) => JSON.stringify(entry))];
  });
  const questions = asked.map((request, at) => ({
    ...request,
    answer: bodyOf(answers[LISTS.length + at]!),
  }));
  return { peer, lists: Object.fromEntries(lists), questions };
}

async function entryOf({ peer, lists }: Direct): Promise<object> {
  const { cwd, command, args, env } = await launchOf(peer, folderOf(peer));
  const tools = lists.tools!.map((tool) => ({ tool: JSON.parse(tool).name }));
  const prefix = peer.name === PREFIX.name ? { name_prefix: PREFIX.prefix } : {};
  const schemes = new Set(peer.resources?.map((uri) => new URL(uri).protocol));
  const resources = [...schemes].map((scheme) => ({ resource: `${scheme}*` }));
  const allow = [...tools, ...resources, { prompt: "*" }];
  return { command, args, env, working_dir: cwd, allow, ...prefix };
}

/** A name as the gateway exposes it. */
const exposed = ({ name: peer }: Peer, name: string) =>
  peer === PREFIX.name ? `${PREFIX.prefix}_${name}` : name;

let direct: readonly Direct[];
let gateway: GatewayProcess;
/** Starts them anew, so that what they keep is again what it was when they were asked directly. */
async function startAnew(): Promise<void> {
  await gateway?.[Symbol.asyncDispose]();
  const entries = await Promise.all(
    direct.map(async (each) => [each.peer.name, await entryOf(each)]),
  );
  gateway = await startGateway({
    mcp: { list_wait: "30s" },
    mcp_servers: Object.fromEntries(entries),
  });
}

beforeAll(async () => {
  direct = await Promise.all(peers.map(readDirectly));
  await startAnew();
}, 120_000);
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** The bytes of a list's entries of all servers, in the order of the configuration, under their exposed names. */
const expectedList = (member: string) =>
  direct
    .flatMap(({ peer, lists }) =>
      lists[member]!.map((entry) => (member === "tools" ? renamed(peer, entry) : entry)),
    )
    .join(",");

function renamed(peer: Peer, entry: string): string {
  const name = JSON.stringify(JSON.parse(entry).name);
  return entry.replace(
    `"name":${name}`,
    `"name":${JSON.stringify(exposed(peer, JSON.parse(name)))}`,
  );
}

const requestOf = (peer: Peer, { method, params }: Question) =>
  method === "tools/call"
    ? { method, params: { ...params, name: exposed(peer, (params as { name: string }).name) } }
    : { method, params: params as Record<string, unknown> };

const namesOf = (all: readonly Direct[]) =>
  all.flatMap(({ peer, lists }) =>
    lists.tools!.map((entry) => exposed(peer, JSON.parse(entry).name)),
  );

type Call = { name: string; arguments: Record<string, unknown> };
/** The calls of a peer and the bytes of their results. */
const callsOf = (name: string) =>
  direct
    .filter(({ peer }) => peer.name === name)
    .flatMap(({ questions }) => questions)
    .filter(({ method }) => method === "tools/call")
    .map(({ params, answer }) => [params as Call, answer] as const);

describe("servers from npm behind the gateway", () => {
  it.each(LISTS)(
    "[G11] [P2] %s holds the bytes of each server's own list",
    async (method, member) => {
      const headers = await openSession(gateway.url);
      const answer = await send(gateway.url, { headers, body: rpc(1, method) });
      expect(answer.text).toContain(`"${member}":[${expectedList(member)}]`);
    },
  );

  it("[G11] [P2] answer tools, resources and prompts with the bytes that they answer directly", async () => {
    const headers = await openSession(gateway.url);
    for (const { peer, questions } of direct)
      for (const question of questions) {
        const { method, params } = requestOf(peer, question);
        const answer = await send(gateway.url, { headers, body: rpc(1, method, params) });
        expect([answer.status, answer.text]).toEqual([
          200,
          expect.stringContaining(question.answer),
        ]);
      }
  });

  it("[W7] [P2] look through the v1 SDK as they look without the gateway, their own errors included", async () => {
    await startAnew();
    const client = await gateway.connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(namesOf(direct));
    for (const { peer, questions } of direct)
      for (const question of questions) {
        const result = await client.request(requestOf(peer, question), z.looseObject({}));
        expect(result).toEqual(JSON.parse(question.answer));
      }
    const failing = peers.flatMap((peer) =>
      peer.calls.flatMap(({ tool, arguments: args, fails }) =>
        fails === undefined ? [] : [{ name: exposed(peer, tool), arguments: args, fails }],
      ),
    );
    expect(failing.length).toBeGreaterThanOrEqual(4);
    for (const { fails, ...params } of failing)
      expect(textOf(await client.callTool(params))).toMatch(fails);
  });

  it("[W6] [P2] are listed and called by the v2 SDK in the modern era, which they do not speak", async () => {
    const client = new Client(
      { name: "test", version: "1" },
      { versionNegotiation: { mode: "auto" } },
    );
    await client.connect(new StreamableHTTPClientTransport(gateway.url));
    try {
      expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(namesOf(direct));
      for (const [params, answer] of callsOf("everything"))
        expect(await client.callTool(params)).toMatchObject(JSON.parse(answer));
    } finally {
      await client.close();
    }
  });

  it("[P2] are listed and called by the Inspector's command line", async () => {
    const inspector = await installInspector();
    const inspect = async (...request: string[]) => {
      const args = ["--cli", gateway.url.href, "--transport", "http", ...request];
      const { status, stdout, stderr } = await run(process.execPath, [inspector, ...args]);
      expect(status, stderr).toBe(0);
      return JSON.parse(stdout);
    };
    const { tools } = await inspect("--method", "tools/list");
    expect(tools).toEqual(JSON.parse(`[${expectedList("tools")}]`));
    const call = ["--method", "tools/call", "--tool-name", "get-sum", "--tool-arg"];
    const [[, answer]] = callsOf("everything") as [[object, string]];
    expect(await inspect(...call, "a=0.1", "b=0.2")).toMatchObject(JSON.parse(answer));
  }, 120_000);
});
