// Fault: tools that a strict reader refuses, each legal somewhere: boolean schemas, unknown keys, null descriptions,
// big integers, a remote $ref, a pattern that only other engines know, an unknown kind of content.
import { serve, text } from "./serve.mjs";

// JavaScript numbers cannot hold it, so it is written into the line as it stands.
const BIG = "9007199254740993";

serve({
  encode: (message) => JSON.stringify(message).replaceAll(`"${BIG}"`, BIG),
  tools: [
    { name: "plain", description: "Nothing odd", call: () => text("plain") },
    { name: "anything", description: null, inputSchema: true, call: () => text("anything") },
    {
      name: "extras",
      description: "Unknown keys everywhere",
      "x-vendor": { kept: true },
      annotations: { readOnlyHint: true, "x-cost": 3 },
      inputSchema: {
        type: "object",
        $schema: "https://json-schema.org/draft/2020-12/schema",
        $defs: { big: { const: BIG } },
        properties: { a: { $ref: "https://example.invalid/schema.json" }, b: { pattern: "(?i)x" } },
      },
      call: () => ({
        content: [
          { type: "video", data: "AAAA", mimeType: "video/webm" },
          { type: "text", text: "after the video", "x-kept": 1 },
        ],
        structuredContent: [1, 2, 3],
      }),
    },
  ],
});
