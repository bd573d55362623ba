// Faultless: what it gives has exactly the number of bytes that is asked for, as a whole message: the tool `message`, and
// the resources `message:N`, which it lists for the sizes in its arguments. `ran` tells how often the tool was called.
import { serve, text } from "./serve.mjs";

let ran = 0;
const sizes = process.argv.slice(2).map(Number);

/** A result whose whole answer to that request has so many bytes; `make` turns filler into a result. */
function weighing(bytes, request, make) {
  const empty = JSON.stringify({ jsonrpc: "2.0", id: request.id, result: make("") });
  return make("x".repeat(bytes - empty.length));
}

serve({
  capabilities: { tools: {}, resources: {}, prompts: {} },
  tools: [
    {
      name: "message",
      description: "Answer with so many bytes",
      call: ({ bytes }, request) => {
        ran++;
        return weighing(bytes, request, text);
      },
    },
    { name: "ran", description: "Tell how often", call: () => text(String(ran)) },
  ],
  methods: {
    "resources/list": () => ({
      resources: sizes.map((bytes) => ({ uri: `message:${bytes}`, name: `of ${bytes} bytes` })),
    }),
    "resources/read": ({ uri }, request) =>
      weighing(Number(uri.slice("message:".length)), request, (filler) => ({
        contents: [{ uri, text: filler }],
      })),
    "prompts/list": () => ({ prompts: [{ name: "message", arguments: [{ name: "bytes" }] }] }),
    "prompts/get": ({ arguments: { bytes } }, request) =>
      weighing(Number(bytes), request, (filler) => ({
        messages: [{ role: "user", content: { type: "text", text: filler } }],
      })),
  },
});
