import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { CANARY, createTempFolder, findCanary } from "test-fixtures";
import { expect, it } from "vitest";
import { startHttpServer } from "./http-server.ts";
import { fixture, openSession } from "./session.ts";

/** Every request that lets a server speak, or that fails. */
const REQUESTS = [
  {},
  { server: "parrot" },
  { server: "parrot", search: "say" },
  ...["say", "schema"].map((describe) => ({ server: "parrot", describe })),
  ...["say", "long", "image", "audio", "link", "schema", "error", "die", "say"].map((tool) => ({
    server: "parrot",
    tool,
  })),
  { server: "parrot", operation: "prompts.list" },
  { server: "parrot", operation: "prompts.get", prompt: "say" },
  { server: "parrot", operation: "prompts.get", prompt: "say", arguments: { unknown: "x" } },
  { server: "broken" },
  { server: "web", tool: "echo", args: { said: CANARY } },
  { server: "gone" },
  {},
];

it("[A34] a secret of env, header, URL or result is in no answer, no detail and no file", async () => {
  await using folder = createTempFolder();
  await using server = await startHttpServer();
  const url = new URL(server.url);
  url.searchParams.set("api_key", CANARY);
  const gone = new URL("http://127.0.0.1:9/mcp");
  gone.username = "reader";
  gone.password = CANARY;
  const secret = { env: { SECRET: "$env:CANARY" } };
  await using session = await openSession(
    {
      parrot: fixture("parrot", secret),
      broken: fixture("exits-at-start", { env: { SERVICE_TOKEN: "$env:CANARY" } }),
      web: { url: url.href, headers: { Authorization: "Bearer $env:CANARY" } },
      gone: { url: gone.href },
    },
    { env: { PATH: process.env.PATH, CANARY }, spillFolder: folder.path },
  );
  const answers: string[] = [];
  const ask = async (request: object) => {
    const answer = await session.ask(request);
    const images = answer.content.flatMap((block) =>
      block.type === "image" ? [Buffer.from(block.data, "base64").toString("latin1")] : [],
    );
    answers.push(JSON.stringify(answer), answer.text, ...images);
    return answer;
  };
  for (const request of REQUESTS) await ask(request);
  const { text } = await ask({ server: "parrot", operation: "resources.list" });
  const references = text.match(/mcp-resource-[0-9a-f]{32}/g) ?? [];
  expect(references).toHaveLength(3);
  for (const resource of references)
    await ask({ server: "parrot", operation: "resources.read", resource });
  expect(findCanary(answers.join("\n"))).toEqual([]);
  expect(answers.join("\n")).toContain("[redacted]");

  const files = await readdir(folder.path, { recursive: true, withFileTypes: true });
  const kept = files.filter((file) => file.isFile());
  expect(kept.length).toBeGreaterThanOrEqual(4);
  for (const file of kept) {
    const content = await readFile(join(file.parentPath, file.name), "latin1");
    expect(findCanary(content)).toEqual([]);
  }
});
