import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  CANARY,
  createTempFolder,
  findCanary,
  modern,
  openSession,
  rpc,
  send,
} from "test-fixtures";
import { describe, expect, it, vi } from "vitest";
import { script, startGateway, textOf } from "./gateway-process.ts";

const full = fileURLToPath(new URL("servers/full.mjs", import.meta.url));
interface Shown {
  readonly content: { type: string; text: string; uri: string }[];
  readonly isError?: boolean;
}

describe.concurrent("an answer", () => {
  it("[G19] is bounded by default, and its rest is read by pages in the session alone", async () => {
    await using gateway = await startGateway({ mcp_servers: { full: script(full, ["text"]) } });
    const client = await gateway.connect();
    const call = async (args: object) =>
      (await client.callTool({ name: "text", arguments: { ...args } })) as unknown as Shown;
    const whole = await call({ bytes: 1024 * 1024 });
    expect(whole.content).toHaveLength(1);
    const cut = await call({ bytes: 3 * 1024 * 1024 });
    // The line that says what is left and the link count as well.
    const [shown, note, link] = cut.content;
    const used = [shown?.text, note?.text, JSON.stringify(link)].map((text = "") =>
      Buffer.byteLength(text),
    );
    const total = used.reduce((sum, bytes) => sum + bytes, 0);
    expect(total).toBeLessThanOrEqual(1024 * 1024);
    expect(total).toBeGreaterThan(1024 * 1024 - 60);
    expect(note?.text).toContain(`${3 * 1024 * 1024 - (used[0] ?? 0)} bytes`);
    const lines = await call({ lines: 20_001 });
    expect(lines.content[0]?.text.split("\n")).toHaveLength(19_998);
    expect((await call({ lines: 20_000 })).content).toHaveLength(1);

    const first = cut.content.at(-1)?.uri as string;
    expect(first).toMatch(/^wraptool:\/\/spill\/[0-9a-f]{32}\?page=1$/);
    const pages: string[] = [];
    for (let uri: unknown = first; typeof uri === "string"; ) {
      const page = await client.readResource({ uri });
      pages.push((page.contents[0] as { text: string }).text);
      uri = page._meta?.["wraptool/next"];
    }
    expect(pages.map((page) => Buffer.byteLength(page))).toEqual(
      [1, 1, 1].map((n) => n * 1024 * 1024),
    );
    expect(pages.join("")).toBe("é".repeat((3 * 1024 * 1024) / 2));
    expect((await client.listResources()).resources).toEqual([]);
    const stranger = await gateway.connect();
    await expect(stranger.readResource({ uri: first })).rejects.toThrow("Resource not found");
  });

  it("[G19] has the limits of its server, and none where they are 0", async () => {
    await using gateway = await startGateway({
      mcp: { max_output: { bytes: 100 } },
      mcp_servers: {
        all: script(full, ["text"], { name_prefix: "all", max_output: 0 }),
        few: script(full, ["text", "structured"], { name_prefix: "few" }),
      },
    });
    const client = await gateway.connect();
    const call = async (name: string, args: object) =>
      (await client.callTool({ name, arguments: { ...args } })) as unknown as Shown;
    expect((await call("all_text", { bytes: 2_000_000 })).content).toHaveLength(1);
    const few = await call("few_text", { bytes: 2000 });
    expect(few.content[0]?.text).toBe("é".repeat(25));
    const structured = await call("few_structured", { items: 100 });
    expect(structured.isError).toBe(true);
    expect(structured).not.toHaveProperty("structuredContent");
  });

  it("[G19] that is a prompt, a resource or an error is bounded as well, and its rest kept", async () => {
    const rules = [{ tool: "fail" }, { prompt: "plan" }, { resource: "note:b" }];
    await using gateway = await startGateway({
      mcp: { max_output: { bytes: 2000 } },
      mcp_servers: { full: script(full, [], { allow: rules }) },
    });
    const client = await gateway.connect();
    const readAll = async (first: string) => {
      let text = "";
      for (let uri: unknown = first; typeof uri === "string"; ) {
        const page = await client.readResource({ uri });
        text += (page.contents[0] as { text: string }).text;
        uri = page._meta?.["wraptool/next"];
      }
      return text;
    };
    const prompt = await client.getPrompt({ name: "plan", arguments: { words: "300" } });
    const last = prompt.messages.at(-1)?.content as { type: string; uri: string };
    const whole = `prompt plan${" word".repeat(300)}`;
    expect(last.type).toBe("resource_link");
    expect(await readAll(last.uri)).toBe(`${whole}\n${whole}`);
    const shown = prompt.messages.map(({ content }) => (content as { text?: string }).text ?? "");
    expect(Buffer.byteLength(shown.join(""))).toBeLessThan(2000);

    const resource = await client.readResource({ uri: "note:b" });
    expect((resource.contents[0] as { text: string }).text).toHaveLength(2000);
    expect(await readAll(resource._meta?.["wraptool/next"] as string)).toBe("long ".repeat(1000));

    const failing = client.callTool({ name: "fail", arguments: { bytes: 3000 } });
    const error = (await failing.catch((one: unknown) => one)) as Error & { data?: unknown };
    expect(Buffer.byteLength(error.message)).toBeLessThan(2050);
    expect(error.data).toBeUndefined();
    const [uri = ""] = error.message.match(/wraptool:\/\/\S+/) ?? [];
    expect(await readAll(uri)).toBe(`${"m".repeat(3000)}\n{"why":"${"d".repeat(3000)}"}`);
  });

  it("[G18] [G19] is scrubbed before it is cut and kept", async () => {
    await using folder = createTempFolder();
    await using gateway = await startGateway(
      {
        mcp: { max_output: { bytes: 100 } },
        mcp_servers: { full: script(full, ["secret"], { env_files: [envFile(folder.path)] }) },
      },
      { TMPDIR: folder.path },
    );
    const client = await gateway.connect();
    const result = await client.callTool({ name: "secret", arguments: { bytes: 35, more: 200 } });
    const { content } = result as unknown as Shown;
    // Half of a limit that is as small: the second secret would begin there, and end beyond it.
    expect(content[0]?.text).toBe(`[redacted]${"x".repeat(35)}[reda`);
    const page = await client.readResource({ uri: content.at(-1)?.uri as string });
    expect(findCanary(JSON.stringify([content, page]))).toEqual([]);
    const [store] = readdirSync(folder.path).filter((name) => name.startsWith("wraptool-"));
    const files = readdirSync(join(folder.path, store as string)).filter((name) =>
      name.endsWith(".txt"),
    );
    expect(files).toHaveLength(1);
    for (const name of files) {
      const path = join(folder.path, store as string, name);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(findCanary(readFileSync(path, "utf8"))).toEqual([]);
    }
  });
});

function envFile(folder: string): string {
  const path = join(folder, "env");
  writeFileSync(path, `CANARY=${CANARY}\n`, { mode: 0o600 });
  return path;
}

describe.concurrent("resources, prompts and completions", () => {
  const rules = [
    { resource: "note:a" },
    { resource: "file:///desk/*" },
    { prompt: "plan" },
    { prompt: "as*" },
  ];
  const allow = { allow: rules, deny: [{ resource: "file:///desk/no*" }], name_prefix: "p" };

  it("[G16] are hidden without a rule", async () => {
    await using gateway = await startGateway({ mcp_servers: { full: script(full, ["text"]) } });
    const client = await gateway.connect();
    expect(client.getServerCapabilities()).not.toHaveProperty("prompts");
    expect(client.getServerCapabilities()).not.toHaveProperty("completions");
    expect((await client.listResources()).resources).toEqual([]);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
    const uri = "note:a";
    const refusal = { code: -32002, data: { uri } };
    await expect(client.readResource({ uri })).rejects.toMatchObject(refusal);
    const read = modern(1, "resources/read", { uri });
    const { json } = await send(gateway.url, {
      ...read,
      headers: { ...read.headers, "mcp-name": uri },
    });
    expect(json).toMatchObject({
      error: { code: -32602, message: "Resource not found", data: { uri } },
    });
  });

  it("[G16] are what rules name: prompts under the prefix, URIs as they are, reads by their final URI", async () => {
    await using folder = createTempFolder();
    await using gateway = await startGateway({
      mcp_servers: { full: script(full, [], { ...allow, env_files: [envFile(folder.path)] }) },
    });
    const client = await gateway.connect();
    const uris = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(uris).toEqual(["note:a", "file:///desk/x"]);
    const templates = (await client.listResourceTemplates()).resourceTemplates;
    expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual(["file:///desk/{path}"]);
    const read = await client.readResource({ uri: "file:///desk/deep/x" });
    expect(read.contents).toEqual([
      { uri: "file:///desk/deep/x", text: "text of file:///desk/deep/x [redacted]" },
    ]);
    for (const uri of ["note:b", "file:///etc/x", "file:///desk/no", "file:///desk/../etc/x"])
      await expect(client.readResource({ uri })).rejects.toThrow("Resource not found");
    expect((await client.listTools()).tools).toEqual([]);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
      "p_plan",
      "p_ask",
    ]);
    expect(await client.getPrompt({ name: "p_plan" })).toMatchObject({
      messages: [{ content: { text: "prompt plan" } }, {}],
    });
    for (const name of ["plan", "p_hidden", "hidden"])
      await expect(client.getPrompt({ name })).rejects.toThrow(`Unknown prompt: ${name}`);
    const argument = { name: "a", value: "" };
    const complete = async (
      ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string },
    ) => (await client.complete({ ref, argument })).completion.values;
    expect(await complete({ type: "ref/prompt", name: "p_ask" })).toEqual(["ask"]);
    expect(await complete({ type: "ref/resource", uri: "file:///desk/{path}" })).toEqual([
      "file:///desk/{path}",
    ]);
    await expect(complete({ type: "ref/resource", uri: "file:///{path}" })).rejects.toThrow(
      "Unknown reference",
    );
  });

  it("[G16] of one name or exact URI on two servers are a configuration error", async () => {
    const rule = { allow: [{ resource: "note:a" }] };
    const start = startGateway({
      mcp_servers: { a: script(full, [], rule), b: script(full, [], rule) },
    });
    await expect(start).rejects.toThrow(
      /mcp_servers.b.allow\[0\].resource: this URI is allowed on a already/,
    );
  });
});

describe.concurrent("what a server says by itself", () => {
  it("[G16] reaches the one session with a call in flight, scrubbed, from the level that it has set", async () => {
    await using folder = createTempFolder();
    await using gateway = await startGateway({
      mcp_servers: { full: script(full, ["log"], { env_files: [envFile(folder.path)] }) },
    });
    const headers = await openSession(gateway.url);
    const messages = async () =>
      (await send(gateway.url, { headers, body: rpc(1, "tools/call", { name: "log" }) })).events
        .map((event) => (event as { params?: { data: string } }).params?.data)
        .filter((data) => data !== undefined);
    expect(await messages()).toEqual(["debug [redacted]", "error [redacted]"]);
    await send(gateway.url, { headers, body: rpc(2, "logging/setLevel", { level: "warning" }) });
    expect(await messages()).toEqual(["error [redacted]"]);
  });

  it("[G16] is asked of the session whose call is in flight if it can answer, and else declined at once", async () => {
    await using folder = createTempFolder();
    await using gateway = await startGateway({
      mcp_servers: { full: script(full, ["sample"], { env_files: [envFile(folder.path)] }) },
    });
    const plain = await gateway.connect();
    const declined = await plain.callTool({ name: "sample", arguments: {} });
    expect(textOf(declined)).toContain("does not serve sampling/createMessage");
    const asked: unknown[] = [];
    const able = await gateway.connect({}, { onSample: (params) => void asked.push(params) });
    const answered = await able.callTool({ name: "sample", arguments: {} });
    expect(textOf(answered)).toContain("the client's words");
    expect(asked).toEqual([{ prompt: "[redacted]" }]);
  });
});

describe.concurrent("what a server asks for and takes back", () => {
  it("[G15] is taken back from the client under the id by which it was asked", async () => {
    await using gateway = await startGateway({
      mcp_servers: { full: script(full, ["sample_in_vain"]) },
    });
    const opened = await send(gateway.url, {
      body: rpc(0, "initialize", {
        protocolVersion: "2025-06-18",
        capabilities: { sampling: {} },
        clientInfo: { name: "raw", version: "1" },
      }),
    });
    const headers = { "mcp-session-id": String(opened.headers["mcp-session-id"]) };
    const call = rpc(1, "tools/call", { name: "sample_in_vain" });
    const { events } = await send(gateway.url, { headers, body: call });
    const [asked] = events as { id: unknown }[];
    expect(asked?.id).not.toBe("vain");
    expect(events).toMatchObject([
      { method: "sampling/createMessage", params: { maxTokens: 1 } },
      { method: "notifications/cancelled", params: { requestId: asked?.id, reason: "no need" } },
      { id: 1, result: { content: [{ text: "done without" }] } },
    ]);
  });
});

describe.concurrent("the audit", () => {
  it("[G20] has a line for each decision, without arguments and results", async () => {
    await using folder = createTempFolder();
    const file = join(folder.path, "audit.jsonl");
    await using gateway = await startGateway({
      audit: { file },
      mcp_servers: {
        full: script(full, ["text", "crash"], {
          name_prefix: "f",
          deny: [{ tool: "secret" }],
          allow: [{ tool: "text" }, { tool: "crash" }, { resource: "note:a" }],
        }),
      },
    });
    const client = await gateway.connect();
    const call = (name: string) =>
      client.callTool({ name, arguments: { bytes: 6, x: CANARY } }).catch(() => {});
    for (const name of ["f_text", "f_crash", "f_secret", "other"]) await call(name);
    await client.readResource({ uri: "note:a" });
    const read = () =>
      readFileSync(file, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    await vi.waitFor(() => expect(read()).toHaveLength(5));
    expect(read()).toMatchObject([
      {
        server: "full",
        exposed: "f_text",
        upstream: "text",
        rule: "allow[0]",
        outcome: "ok",
        bytes: expect.any(Number),
      },
      { exposed: "f_crash", rule: "allow[1]", outcome: "failed" },
      { server: "full", exposed: "f_secret", upstream: null, rule: "deny[0]", outcome: "denied" },
      { server: null, exposed: "other", rule: "unlisted", outcome: "denied" },
      { exposed: "note:a", upstream: "note:a", rule: "allow[2]", outcome: "ok" },
    ]);
    expect(new Set(read().map(({ session }) => session)).size).toBe(1);
    const text = readFileSync(file, "utf8");
    expect([findCanary(text), text.includes("ééé")]).toEqual([[], false]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
