// Fault: answers `initialize` in revision 2026-07-28, which has none. With the argument `alone` it knows no discovery either.
import { serve, text } from "./serve.mjs";

const capabilities = { tools: {} };
const discover = { supportedVersions: ["2026-07-28"], capabilities };
const knowsDiscovery = process.argv[2] !== "alone";

serve({
  tools: [{ name: "era", call: (_, { params }) => text(JSON.stringify(params._meta ?? "none")) }],
  methods: {
    initialize: () => ({
      protocolVersion: "2026-07-28",
      capabilities,
      serverInfo: { name: "fixture", version: "1.0.0" },
    }),
    ...(knowsDiscovery && { "server/discover": () => discover }),
  },
});
