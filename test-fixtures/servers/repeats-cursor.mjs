// Fault: every page of `tools/list` names the same next cursor.
import { serve } from "./serve.mjs";

serve({
  methods: {
    "tools/list": () => ({
      tools: [{ name: "again", inputSchema: { type: "object" } }],
      nextCursor: "page-2",
    }),
  },
});
