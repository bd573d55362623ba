// Fault: a catalogue of as many tools as its first argument says (1,000 unless given), 100 a page.
import { serve, text } from "./serve.mjs";

const count = Number(process.argv[2] ?? 1000);
const tools = Array.from({ length: count }, (_, i) => ({
  name: `tool_${i + 1}`,
  description: `Tool number ${i + 1} of ${count}, which does nothing of note`,
  inputSchema: { type: "object" },
}));
serve({
  methods: {
    "tools/list": ({ cursor }) => {
      const start = Number(cursor ?? 0);
      const end = start + 100;
      return {
        tools: tools.slice(start, end),
        ...(end < count ? { nextCursor: String(end) } : {}),
      };
    },
    "tools/call": ({ name }) => text(name),
  },
});
