// Fault: repeats the value of its variable SECRET wherever a server may say something, in plain and as binary content.
import { serve, text } from "./serve.mjs";

const secret = process.env.SECRET ?? "";
const base64 = Buffer.from(`\x00\xff${secret}\xfe`, "latin1").toString("base64");
const image = { type: "image", data: base64, mimeType: "image/png" };
const link = { type: "resource_link", uri: `memo:${secret}`, name: secret, mimeType: secret };
const long = `${secret}\n`.repeat(3000);

process.stderr.write(`started with ${secret}\n`);
serve({
  capabilities: { tools: {}, resources: {}, prompts: {} },
  tools: [
    { name: "say", title: secret, description: `Say ${secret}`, call: () => text(secret) },
    { name: "long", call: () => text(long) },
    {
      name: "image",
      call: () => ({ content: [image, { ...image, mimeType: `image/${secret}` }] }),
    },
    { name: "audio", call: () => ({ content: [{ type: "audio", data: base64 }] }) },
    { name: "link", call: () => ({ content: [link], structuredContent: { secret } }) },
    {
      name: "schema",
      inputSchema: {
        type: "object",
        properties: { [secret]: { const: secret } },
        required: [secret],
      },
      call: () => text("never"),
    },
    {
      name: "error",
      call: () => {
        throw { code: -32000, message: `No luck with ${secret}` };
      },
    },
    {
      name: "die",
      call: () => {
        process.stderr.write(`died of ${secret}\n`);
        process.exit(5);
      },
    },
  ],
  methods: {
    "resources/list": () => ({
      resources: [
        { uri: "memo:text", name: `text ${secret}`, description: secret },
        { uri: "memo:blob", name: "blob" },
        { uri: `memo:${secret}`, name: "missing" },
      ],
    }),
    "resources/read": ({ uri }) => {
      if (uri === "memo:text") return { contents: [{ uri, text: long }] };
      if (uri === "memo:blob") return { contents: [{ uri, blob: base64 }] };
      throw { code: -32002, message: `Resource ${uri} was not found` };
    },
    "prompts/list": () => ({
      prompts: [{ name: "say", description: secret, arguments: [{ name: secret }] }],
    }),
    "prompts/get": () => ({
      messages: [
        { role: secret, content: { type: "text", text: secret } },
        { role: "user", content: image },
        { role: "user", content: link },
      ],
    }),
  },
});
