import { join } from "node:path";
import {
  askDirectly,
  bodyOf,
  createTempFolder,
  type DirectRequest,
  launchOf,
  type Peer,
  peers,
} from "test-fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession, type Session } from "./session.ts";

interface Listed {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: object;
  readonly outputSchema?: object;
  readonly annotations?: object;
}
interface Content {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
}
interface Result {
  readonly isError?: boolean;
  readonly content: readonly Content[];
  readonly structuredContent?: unknown;
}

/** What a server itself answers, when the adapter's capabilities are declared to it. */
interface Direct {
  readonly tools: readonly Listed[];
  readonly resources: readonly { readonly uri: string; readonly name: string }[];
  readonly prompts: readonly Listed[];
  readonly results: readonly Result[];
  readonly bodies: readonly { readonly text?: string }[];
  readonly messages: readonly { readonly content: Content }[][];
}

const folder = createTempFolder();
const folderOf = ({ name }: Peer) => join(folder.path, name);

async function readDirectly(peer: Peer): Promise<Direct> {
  const { calls, resources = [], prompts = [] } = peer;
  const requests: DirectRequest[] = [
    ...["tools/list", "resources/list", "prompts/list"].map((method) => ({ method })),
    ...calls.map(({ tool, arguments: args }) => ({
      method: "tools/call",
      params: { name: tool, arguments: args },
    })),
    ...resources.map((uri) => ({ method: "resources/read", params: { uri } })),
    ...prompts.map((params) => ({ method: "prompts/get", params })),
  ];
  const lines = await askDirectly(await launchOf(peer, folderOf(peer)), {}, requests);
  const [tools, listed, named, ...answers] = lines.slice(1).map((line) => JSON.parse(bodyOf(line)));
  const results = answers.splice(0, calls.length);
  const bodies = answers.splice(0, resources.length).flatMap(({ contents }) => contents);
  const messages = answers.map((answer) => answer.messages);
  return {
    tools: tools.tools,
    resources: listed.resources ?? [],
    prompts: named.prompts ?? [],
    results,
    bodies,
    messages,
  };
}

const direct = new Map<string, Direct>();
let session: Session;
beforeAll(async () => {
  await Promise.all(peers.map(async (peer) => direct.set(peer.name, await readDirectly(peer))));
  const entries = await Promise.all(
    peers.map(async (peer) => {
      const { command, args, env, cwd } = await launchOf(peer, folderOf(peer));
      return [peer.name, { command, args, env, cwd }] as const;
    }),
  );
  session = await openSession(Object.fromEntries(entries));
}, 120_000);
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** The JSON that stands under each label of a description. */
function partsOf(text: string): Record<string, unknown> {
  const labelled = text.matchAll(
    /^(Input schema|Output schema|Annotations):\n([\s\S]*?\n\}|\{\})(?=\n[A-Z]|$(?![\s\S]))/gm,
  );
  return Object.fromEntries([...labelled].map(([, label, json = ""]) => [label, JSON.parse(json)]));
}

const collapse = (text: string) => text.replace(/\s+/g, " ").trim();

describe.each(peers)("the server $name from npm", (peer) => {
  const { name: server, calls, query } = peer;
  const own = () => direct.get(server) as Direct;
  const ask = (request: object) => session.ask({ server, ...request });

  it("[A13] [P2] is listed with each of its tools, in its order and in its words", async () => {
    const { text, isError } = await ask({ operation: "tools.list" });
    expect(isError).toBe(false);
    const rows = text.split("\n").slice(1);
    expect(rows.map((row) => /^- (.*?): /.exec(row)?.[1])).toEqual(
      own().tools.map(({ name }) => name),
    );
    for (const [at, { description = "" }] of own().tools.entries())
      expect(collapse(description)).toContain(rows[at]!.replace(/^- .*?: /, "").replace(/…$/, ""));
  });

  it("[A14] [P2] is searched, and what is looked for stands among the first", async () => {
    const { text } = await ask({ operation: "tools.search", query });
    const found = [...text.matchAll(/^- (.*?): /gm)].map(([, name]) => name);
    expect(found.slice(0, 3)).toContain(calls[0]!.tool);
  });

  it("[A15] [P2] is described with the whole schemas that it sends", async () => {
    for (const { name, inputSchema, outputSchema, annotations } of own().tools) {
      const { text, isError } = await ask({ operation: "tools.describe", name });
      expect(isError).toBe(false);
      const shown = partsOf(text);
      expect(shown).toEqual({
        "Input schema": inputSchema,
        ...(outputSchema && { "Output schema": outputSchema }),
        ...(annotations && { Annotations: annotations }),
      });
    }
  });

  it("[A33] [P2] is called, and its text and images come as it sends them", async () => {
    for (const [at, { tool, arguments: args, fails }] of calls.entries()) {
      const answer = await ask({ operation: "tools.call", name: tool, arguments: args });
      const { content, isError = false } = own().results[at]!;
      expect([tool, answer.isError]).toEqual([tool, isError]);
      if (fails !== undefined) expect(answer.text).toMatch(fails);
      for (const block of content)
        if (block.type === "text")
          expect(answer.content).toContainEqual({ type: "text", text: block.text });
        else if (block.type === "image")
          expect(answer.content).toContainEqual({
            type: "image",
            data: block.data,
            mimeType: block.mimeType,
          });
    }
  });
});

describe("the servers from npm that have resources and prompts", () => {
  it.each(peers.filter(({ resources }) => resources))(
    "[A17] [P2] $name: resources are listed without URIs and read by reference",
    async ({ name: server, resources = [] }) => {
      const { resources: listed, bodies } = direct.get(server) as Direct;
      const { text } = await session.ask({ server, operation: "resources.list" });
      for (const { uri } of listed) expect(text).not.toContain(uri);
      for (const [at, uri] of resources.entries()) {
        const { name } = listed.find((resource) => resource.uri === uri)!;
        const [, reference] = new RegExp(`^- (mcp-resource-\\w+) ${name}: `, "m").exec(text) ?? [];
        const read = await session.ask({
          server,
          operation: "resources.read",
          resource: reference,
        });
        expect(read.isError).toBe(false);
        expect(read.text).toContain(bodies[at]!.text);
      }
    },
  );

  it.each(peers.filter(({ prompts }) => prompts))(
    "[A18] [P2] $name: prompts are listed, and got with their arguments",
    async ({ name: server, prompts = [] }) => {
      const { prompts: listed, messages } = direct.get(server) as Direct;
      const { text } = await session.ask({ server, operation: "prompts.list" });
      for (const { name } of listed) expect(text).toMatch(new RegExp(`^- ${name}: `, "m"));
      for (const [at, { name, arguments: args }] of prompts.entries()) {
        const got = await session.ask({
          server,
          operation: "prompts.get",
          prompt: name,
          arguments: args,
        });
        expect(got.isError).toBe(false);
        for (const { content } of messages[at]!) expect(got.text).toContain(content.text);
      }
    },
  );
});
