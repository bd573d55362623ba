// A server that tells of changes of its resources to whoever has subscribed. Argument: a file in which each start, subscription
// and end of one is noted. `note:silent` it does not know, and `note:stuck` it never answers for.
import { appendFileSync } from "node:fs";
import { serve, text } from "../../../../test-fixtures/servers/serve.mjs";

const [log] = process.argv.slice(2);
const note = (mark) => appendFileSync(log, `${mark}\n`);
const subscribed = new Set();
note("start");

const { send } = serve({
  capabilities: { tools: {}, resources: { subscribe: true } },
  tools: [
    {
      name: "touch",
      call: ({ uri, anyway = false }) => {
        const params = { uri, title: process.env.CANARY ?? "", x_kept: 1 };
        if (anyway || subscribed.has(uri))
          send({ jsonrpc: "2.0", method: "notifications/resources/updated", params });
        return text("touched");
      },
    },
    { name: "crash", call: () => process.exit(9) },
  ],
  methods: {
    "resources/list": () => ({ resources: [{ uri: "note:1", name: "one" }] }),
    "resources/templates/list": () => ({ resourceTemplates: [] }),
    "resources/subscribe": ({ uri }) => {
      note(`+${uri}`);
      if (uri === "note:stuck") return undefined;
      if (uri === "note:silent") throw { code: -32002, message: "Resource not found" };
      subscribed.add(uri);
      return {};
    },
    "resources/unsubscribe": ({ uri }) => {
      note(`-${uri}`);
      subscribed.delete(uri);
      return {};
    },
  },
});
