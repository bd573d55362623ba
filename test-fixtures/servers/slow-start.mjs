// Fault: answers `initialize` only after as many milliseconds as its first argument says.
import { setTimeout as after } from "node:timers/promises";
import { serve, text } from "./serve.mjs";

serve({
  tools: [{ name: "late", description: "Work, once started", call: () => text("late") }],
  methods: {
    initialize: async ({ protocolVersion }) => {
      await after(Number(process.argv[2] ?? 1000));
      return {
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "slow-start", version: "1.0.0" },
      };
    },
  },
});
