import { readFileSync } from "node:fs";
import { KIB, MIB } from "@core/bounds";
import { parseJsonDocument, parseStrict } from "@core/config";
import { expect, it } from "vitest";
import { entrySchema, fileSchema } from "./config/schema.ts";
import { errorCodes, frameErrorCodes } from "./errors.ts";
import { activeToolsWithMcp } from "./host.ts";
import { limits } from "./limits.ts";
import { readFrame } from "./lines/frame.ts";
import { parseRequest } from "./request/parse.ts";
import { operations } from "./request/request.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const blocks = blocksOf("json");

it("[A36] the README's configuration files are valid, and its recipes are there", () => {
  const files = blocks.filter((block) => block.includes("mcpServers"));
  const entries = files.flatMap((text) => {
    const document = parseJsonDocument(text, { file: "README.md" });
    const names = Object.keys(parseStrict(fileSchema, document).mcpServers);
    return names.map((name) => [
      name,
      parseStrict(entrySchema, document, { at: ["mcpServers", name] }),
    ]);
  });
  expect(entries).toEqual(
    expect.arrayContaining([
      ["filesystem", expect.objectContaining({ command: "npx", lifecycle: "lazy" })],
      ["context7", expect.objectContaining({ url: "https://mcp.context7.com/mcp" })],
      ["context7", { command: "npx", args: ["-y", "@upstash/context7-mcp"] }],
      ["context7", { command: "cmd", args: ["/c", "npx", "-y", "@upstash/context7-mcp"] }],
    ]),
  );
});

it("[A36] the README's requests are valid, and show every operation in each of its forms", () => {
  const lines = blocks
    .filter((block) => !block.includes("mcpServers"))
    .join("")
    .trim()
    .split("\n");
  const requests = lines.map((line) => parseRequest(JSON.parse(line)));
  for (const operation of operations) expect(requests).toContainEqual(containing({ operation }));
  for (const field of ["{}", '"search"', '"describe"', '"tool"', '"server":"local-tools"}'])
    expect(lines.some((line) => line.includes(field))).toBe(true);
});

it("[A36] the README's lines of the JSON-lines host are of its protocol", () => {
  const lines = blocksOf("jsonl").flatMap((block) => block.trim().split("\n"));
  const [ready, ...frames] = lines;
  expect(JSON.parse(ready ?? "")).toMatchObject({ method: "ready" });
  const methods = frames.map((line) => readFrame(Buffer.from(line)).method);
  expect(methods).toEqual(["execute", "cancel", "shutdown"]);
});

it("[A36] the README's tables of errors are those of the code", () => {
  const rows = tableRows().filter(([code]) => /^`[A-Z_]+`$/.test(code ?? ""));
  const table = rows.map(([code = "", meaning]) => [code.replaceAll("`", ""), meaning]);
  expect(Object.fromEntries(table)).toEqual({ ...errorCodes, ...frameErrorCodes });
});

it("[A36] the README's table of limits is that of the code", () => {
  const count = (value: number) => value.toLocaleString("en");
  const size = (bytes: number) => (bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`);
  const expected: [string, string][] = [
    [
      "Text of one result that a model sees",
      `${size(limits.maxInlineBytes)}, ${count(limits.maxInlineLines)} lines`,
    ],
    ["Text of an error", size(limits.maxErrorBytes)],
    ["Text of a configuration error", `${count(limits.maxConfigErrorBytes)} bytes`],
    ["Matches and text of a search", `${limits.maxSearchMatches}, ${size(limits.maxSearchBytes)}`],
    ["Pages of one catalog", count(limits.maxCatalogPages)],
    ["Tools of one server", count(limits.maxTools)],
    ["Resources and templates of one server", count(limits.maxResources)],
    ["Prompts of one server", count(limits.maxPrompts)],
    ["Messages of one prompt", count(limits.maxPromptMessages)],
    ["Response to a resource or prompt request", size(limits.maxResponseBytes)],
    ["Any other message of a server", size(limits.maxMessageBytes)],
    ["One image shown", size(limits.maxInlineImageBytes)],
    ["All files of one session", size(limits.maxSpillBytes)],
    ["Shutdown", `${limits.maxShutdownMs / 1000} s`],
  ];
  const rows = tableRows();
  const start = rows.findIndex(([label]) => label === "Limit");
  expect(rows.slice(start + 2, start + 2 + expected.length)).toEqual(expected);
});

it("[A36] the README's table of the supported surface has all rows of the user's document", () => {
  const rows = new Map(tableRows().map(([capability = "", status]) => [capability, status]));
  const expected: [string, string][] = [
    ["stdio client transport", "Supported"],
    ["Streamable HTTP client transport", "Supported"],
    ["Lazy per-server connection", "Supported"],
    ["Tool listing, search, schema description, and calls", "Supported"],
    ["MCP resources and prompts", "Supported with bounds and untrusted-data labeling"],
    ["Bounded explicit and automatic reconnect", "Supported without request replay"],
    [
      "Text, media, embedded-resource, and structured results",
      "Supported with Travis conversion and bounds",
    ],
    ["Legacy SSE", "Not supported"],
    ["MCP OAuth", "Not supported"],
    ["Sampling and elicitation", "Not supported"],
    ["MCP Apps/UI", "Not supported"],
    ["Eager or keep-alive lifecycle", "Not supported"],
  ];
  for (const [capability, status] of expected)
    expect(rows.get(capability), capability).toBe(status);
});

it("[A36] the README's troubleshooting knows the user's seven symptoms", () => {
  const section = readme.split("## Troubleshooting")[1]?.split("\n## ")[0] ?? "";
  const symptoms = [...section.matchAll(/^\*\*(.*?)\.\*\*/gm)].map(([, symptom]) => symptom);
  expect(symptoms).toEqual([
    "The model cannot see `mcp`",
    "A project server is missing",
    "A server remains disconnected",
    "Configuration reports a missing environment variable",
    "An npm server works on the host but not in the sandbox",
    "A result was kept outside the preview",
    "A call times out",
  ]);
});

it("[A36] the README's commands with --mcp ask for what the helper makes of them", () => {
  const lines = blocksOf("sh").flatMap((block) => block.split("\n"));
  const commands = lines.filter((line) => line.startsWith("travis234 --cwd . "));
  const defaults = ["read", "write"];
  const asked = commands.map((line) => {
    const named = /--tools (\S+)/.exec(line)?.[1]?.split(",");
    const tools = line.includes("--no-tools") ? [] : named;
    return activeToolsWithMcp({ defaults, ...(tools === undefined ? {} : { tools }) });
  });
  expect(asked).toEqual([["read", "write", "mcp"], ["mcp"], ["read", "bash", "mcp"]]);
});

it("[A36] the README's table of fields is that of the schema", () => {
  const rows = tableRows().filter(([, transport]) => /^(stdio|HTTP|both)$/.test(transport ?? ""));
  const fields = rows.map(([field = ""]) => field.replaceAll("`", ""));
  expect(fields.toSorted()).toEqual(Object.keys(entrySchema.out.shape).toSorted());
});

it("[A36] the README's table of the library's options, and its list of the tool's members, are those of the types", () => {
  const host = readFileSync(new URL("./host.ts", import.meta.url), "utf8");
  const membersOf = (type: string) => {
    const body = new RegExp(`^export interface ${type} .*?^}`, "ms").exec(host)?.[0] ?? "";
    return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name);
  };
  const rows = tableRows();
  const start = rows.findIndex(([label]) => label === "Option") + 2;
  const options = membersOf("AdapterOptions");
  const shown = rows.slice(start, start + options.length).map(([name = ""]) => name);
  expect(shown).toEqual(options.map((name) => `\`${name}\``));
  const registering = /\*\*Registering:\*\*[\s\S]*?\n- /.exec(readme)?.[0] ?? "";
  for (const member of membersOf("ToolDefinition")) expect(registering).toContain(`\`${member}\``);
  expect(activeToolsWithMcp({ defaults: ["read", "bash"], tools: ["read"] })).toEqual([
    "read",
    "mcp",
  ]);
});

function containing(fields: object): unknown {
  return expect.objectContaining(fields);
}

function blocksOf(language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms");
  return [...readme.matchAll(fence)].map(([, block]) => block as string);
}

/** The cells of each line of a table. */
function tableRows(): string[][] {
  const lines = readme.split("\n").filter((line) => line.startsWith("|"));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}
