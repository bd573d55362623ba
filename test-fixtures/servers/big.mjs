// Fault: answers as long as asked for. `text` gives `bytes` ASCII characters, `lines` that many lines.
import { serve, text } from "./serve.mjs";

serve({
  tools: [
    {
      name: "text",
      description: "Return a text of so many bytes",
      inputSchema: { type: "object", properties: { bytes: { type: "integer" } } },
      call: ({ bytes }) => text("x".repeat(bytes)),
    },
    {
      name: "lines",
      description: "Return a text of so many lines",
      inputSchema: { type: "object", properties: { lines: { type: "integer" } } },
      call: ({ lines }) =>
        text(Array.from({ length: lines }, (_, i) => `line ${i + 1}`).join("\n")),
    },
  ],
});
