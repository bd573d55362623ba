// Fault: before it answers `spew` it writes whatever it is given, line by line in base64; `{id}` in a line stands for the
// call's own id. `define` gives it more tools, of any shape. `still` tells the process id.
import { serve, text } from "./serve.mjs";

let defined = [];
const own = ["spew", "define", "still"].map((name) => ({ name, inputSchema: { type: "object" } }));
const { send } = serve({
  capabilities: { tools: { listChanged: true }, resources: {}, prompts: {}, logging: {} },
  tools: [
    {
      name: "spew",
      call: ({ lines }, { id }) => {
        for (const line of lines) {
          const bytes = Buffer.from(line, "base64").toString("latin1");
          process.stdout.write(Buffer.from(`${bytes.replaceAll("{id}", id)}\n`, "latin1"));
        }
        return text("done");
      },
    },
    {
      name: "define",
      call: ({ tools }) => {
        defined = tools;
        send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
        return text("defined");
      },
    },
    { name: "still", call: () => text(String(process.pid)) },
  ],
  methods: {
    "tools/list": () => ({ tools: [...defined, ...own] }),
    "resources/list": () => ({ resources: defined }),
    "prompts/list": () => ({ prompts: defined }),
  },
});
