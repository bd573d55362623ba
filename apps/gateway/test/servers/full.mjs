// A server with everything: tools with large answers, resources, templates, prompts, completions, log messages, and
// requests to its client. Argument: a file in which the folder of each start is noted.
import { appendFileSync } from "node:fs";
import { serve, text } from "../../../../test-fixtures/servers/serve.mjs";

if (process.argv[2]) appendFileSync(process.argv[2], `${process.pid}\n`);
const write = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
let capabilities = {};
const asked = new Map();
const uris = ["note:a", "note:b", "file:///desk/x", "file:///etc/x"];

/** Asks the client, and answers the call with what it said. */
const ask = (method) => (_, request) => {
  asked.set(`ask ${request.id}`, request.id);
  const say = process.env.CANARY ?? "";
  const form = { message: say, requestedSchema: { type: "object", properties: {} } };
  const params = method === "elicitation/create" ? form : { prompt: say };
  write({ id: `ask ${request.id}`, method, params });
};
process.stdin.on("data", (chunk) => {
  for (const line of String(chunk).split("\n")) {
    if (!line.includes('"ask ')) continue;
    const { id, result, error } = JSON.parse(line);
    if (asked.has(id)) write({ id: asked.get(id), result: text(JSON.stringify(result ?? error)) });
  }
});

serve({
  capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
  tools: [
    {
      name: "text",
      call: ({ bytes = 0, lines = 1 }) => text("é".repeat(bytes / 2) + "\n".repeat(lines - 1)),
    },
    {
      name: "structured",
      call: ({ items, say = "" }) => {
        const structuredContent = { items: Array.from({ length: items }, (_, n) => `item ${n}`) };
        return { ...text(say || JSON.stringify(structuredContent)), structuredContent };
      },
    },
    {
      name: "secret",
      call: ({ bytes, more }) =>
        text(
          [process.env.CANARY, "x".repeat(bytes), process.env.CANARY, "y".repeat(more)].join(""),
        ),
    },
    { name: "where", call: () => text(`${process.cwd()} ${process.pid}`) },
    { name: "crash", call: () => process.exit(9) },
    { name: "umask", call: () => text(process.umask().toString(8)) },
    {
      name: "fail",
      call: ({ bytes }) => {
        throw { code: -32000, message: "m".repeat(bytes), data: { why: "d".repeat(bytes) } };
      },
    },
    { name: "declared", call: () => text(Object.keys(capabilities).sort().join()) },
    { name: "sample", call: ask("sampling/createMessage") },
    { name: "elicit", call: ask("elicitation/create") },
    { name: "roots", call: ask("roots/list") },
    {
      name: "sample_in_vain",
      call: (_, { id }) => {
        write({ id: "vain", method: "sampling/createMessage", params: { maxTokens: 1 } });
        const params = { requestId: "vain", reason: "no need" };
        write({ method: "notifications/cancelled", params });
        setTimeout(() => write({ id, result: text("done without") }), 50);
      },
    },
    {
      name: "log",
      call: () => {
        for (const level of ["debug", "error"])
          write({
            method: "notifications/message",
            params: { level, data: `${level} ${process.env.CANARY}` },
          });
        return text("logged");
      },
    },
    {
      name: "slow_progress",
      call: (_, { params }) => {
        const { progressToken } = params._meta;
        let progress = 0;
        setInterval(
          () =>
            write({
              method: "notifications/progress",
              params: { progressToken, progress: ++progress },
            }),
          50,
        );
      },
    },
  ],
  methods: {
    initialize: (params) => {
      capabilities = params.capabilities;
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
        serverInfo: { name: "full", version: "1" },
      };
    },
    "resources/list": () => ({ resources: uris.map((uri) => ({ uri, name: uri })) }),
    "resources/templates/list": () => ({
      resourceTemplates: ["file:///desk/{path}", "file:///{path}"].map((uriTemplate) => ({
        uriTemplate,
        name: uriTemplate,
      })),
    }),
    "resources/read": ({ uri }) => ({
      contents: [
        {
          uri,
          text:
            uri === "note:b" ? "long ".repeat(1000) : `text of ${uri} ${process.env.CANARY ?? ""}`,
        },
      ],
    }),
    "prompts/list": () => ({ prompts: ["plan", "ask", "hidden"].map((name) => ({ name })) }),
    "prompts/get": ({ name, arguments: { words = 0 } = {} }) => ({
      messages: ["user", "assistant"].map((role) => ({
        role,
        content: { type: "text", text: `prompt ${name}${" word".repeat(words)}` },
      })),
    }),
    "completion/complete": ({ ref }) => ({ completion: { values: [ref.name ?? ref.uri] } }),
  },
});
