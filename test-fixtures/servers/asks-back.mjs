// Fault: the tool `ask` asks its client for a sample first, and tells of the answer that it gets.
import { createInterface } from "node:readline";
import { serve, text } from "./serve.mjs";

let tell = () => {};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, error } = JSON.parse(line);
  if (id === "sample") tell(text(`declined with ${error?.code}`));
});
const { send } = serve({
  tools: [
    {
      name: "ask",
      description: "Ask the client for a sample",
      call: () =>
        new Promise((resolve) => {
          tell = resolve;
          send({ jsonrpc: "2.0", id: "sample", method: "sampling/createMessage", params: {} });
        }),
    },
  ],
});
